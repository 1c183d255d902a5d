// What a sensible engineer fills in, one function for each API. Each function decides from the printed output of
// `contract --from` and the API's own document alone, and does no more than the output asks. The comment says the decision
// in words; the code says it with the members of the contract file. If a member gets another name or place, only the code below
// a comment changes.

/** Sets the member at `path`, and makes the objects on the way. */
function set(file, path, value) {
  const names = path.split('.');
  const last = names.pop();
  let place = file;
  for (const name of names) place = place[name] ??= {};
  place[last] = value;
}

/** The address that the command printed, on the host that really runs the API. */
export function chooseAddress(output, { origin, base }) {
  const printed = /STUDY_API_URL=(\S+)/.exec(output)?.[1] ?? '';
  // A printed address that still has placeholders helps nobody: the path is that of the document's `servers`.
  if (printed === '' || /[{}]|%7B/i.test(printed)) return `${origin}${base}`;
  const { pathname } = new URL(printed, origin);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}

/** NestJS: `take` is the size of a page. */
export function fillNest(file) {
  set(file, 'operations.studies.parameters.size', 'take');
}

/**
 * Django REST: pages count from 1; the list answers no number of its page, so page n is believed. If the number of a page
 * is asked for, it is not there. `project_id` takes one project.
 */
export function fillDjango(file) {
  set(file, 'operations.studies.firstPage', 1);
}

/**
 * JSON:API: pages count from 1, their numbers are in `meta.pagination`; the filter by project is `filter[projectId]`; the
 * id is beside the attributes, in answers and in items; an item's study is in `attributes`; a request is wrapped in
 * `data.attributes` with the type `studies`, and an edit repeats the id.
 */
export function fillJsonApi(file) {
  set(file, 'operations.studies.firstPage', 1);
  set(file, 'operations.studies.parameters.projectId', 'filter[projectId]');
  set(file, 'operations.studies.numbers', {
    page: '/meta/pagination/page',
    pages: '/meta/pagination/pages',
    total: '/meta/pagination/count',
  });
  // The file can name neither the place of the id nor the wrapping: the engineer does as the output says.
  if (file.answer.names?.id === '') delete file.answer.names.id;
  if (file.request?.names?.progress === '') {
    delete file.request.names.progress;
    file.request.absent.createStudy.push('progress');
    file.request.absent.editStudy.push('progress');
  }
}

/**
 * Laravel: pages count from 1; the filter by project is `filter[project_id]`; the id is beside the attributes, in
 * answers and in items; an item's study is in `attributes`; requests are flat.
 */
export function fillLaravel(file) {
  set(file, 'operations.studies.firstPage', 1);
  set(file, 'operations.studies.parameters.projectId', 'filter[project_id]');
  // The file cannot name the place of the id: the engineer does as the output says.
  if (file.answer.names?.id === '') delete file.answer.names.id;
}

/** Spring: nothing. The document says that `page` has the minimum 0, and that an edit requires nothing. */
export function fillSpring() {}

/** Express, ok: false: `ok: true` means success, `ok: false` a refusal, and `data: null` that there is no such study. */
export function fillExpressOk(file) {
  set(file, 'verdicts.success', { '/ok': true });
}

/**
 * Express, fewer fields: pages count from 1. The fields that the document does not have are absent, as the document
 * shows: nothing is to be named. An empty name of such a field must be removed, as the output says.
 */
export function fillExpressLean(file) {
  set(file, 'operations.studies.firstPage', 1);
  for (const [field, name] of Object.entries(file.answer?.names ?? {}))
    if (name === '') delete file.answer.names[field];
}
