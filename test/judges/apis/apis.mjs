import { django } from './django.mjs';
import { expressLean } from './express-lean.mjs';
import { expressOk } from './express-ok.mjs';
import { jsonApi } from './json-api.mjs';
import { laravel } from './laravel.mjs';
import { nest } from './nest.mjs';
import { spring } from './spring.mjs';

export {
  answered,
  createFields,
  cutToken,
  projects,
  startApi,
  token,
  unknownId,
} from './server.mjs';

/** The address that the command printed, on the host that really runs the API. */
export function chooseAddress(output, { origin, base }) {
  const printed = /STUDY_API_URL=(\S+)/.exec(output)?.[1] ?? '';
  // A printed address that still has placeholders helps nobody: the path is that of the document's `servers`.
  if (printed === '' || /[{}]|%7B/i.test(printed)) return `${origin}${base}`;
  const { pathname } = new URL(printed, origin);
  return `${origin}${pathname === '/' ? '' : pathname}`;
}

/**
 * What a sensible engineer fills in, decided from the printed output of `contract --from` and the API's own document alone:
 * the members of the contract file by their paths. The comment says the decision in words.
 */
export const apis = [
  // `take` is the size of a page.
  toServed(nest, { 'operations.studies.parameters.size': 'take' }),
  // Pages count from 1. The list answers no number of its page, so page n is believed. `project_id` takes one project.
  toServed(django, { 'operations.studies.firstPage': 1 }),
  // Pages count from 1, their numbers are in `meta.pagination`; the filter by project is `filter[projectId]`; the id is beside
  // the attributes, in answers and in items; an item's study is in `attributes`; a request is wrapped in `data.attributes` with
  // the type `studies`, and an edit repeats the id.
  toServed(jsonApi, {
    'operations.studies.firstPage': 1,
    'operations.studies.parameters.projectId': 'filter[projectId]',
    'operations.studies.numbers': {
      page: '/meta/pagination/page',
      pages: '/meta/pagination/pages',
      total: '/meta/pagination/count',
    },
  }),
  // Pages count from 1; the filter by project is `filter[project_id]`; the id is beside the attributes, in answers and in
  // items; an item's study is in `attributes`; requests are flat.
  toServed(laravel, {
    'operations.studies.firstPage': 1,
    'operations.studies.parameters.projectId': 'filter[project_id]',
  }),
  // Nothing: the document says that `page` has the minimum 0, and that an edit requires nothing.
  toServed(spring, {}),
  // `ok: true` means success, `ok: false` a refusal, and `data: null` that there is no such study.
  toServed(expressOk, { 'verdicts.success': { '/ok': true } }),
  // Pages count from 1. The fields that the document does not have are absent.
  toServed(expressLean, { 'operations.studies.firstPage': 1 }),
];

/** Returns a framework with a function that sets members of a contract file, and makes the objects on the way. */
function toServed(framework, members) {
  const fill = (file) => {
    for (const [path, value] of Object.entries(members)) {
      const names = path.split('.');
      const last = names.pop();
      let place = file;
      for (const name of names) place = place[name] ??= {};
      place[last] = value;
    }
  };
  return { ...framework, fill };
}
