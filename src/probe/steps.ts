/** A UUID that no study or project is expected to have. */
const UNKNOWN_ID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
const WRONG_TOKEN = 'study-gateway-probe-wrong-token';
/** Maximum number of studies that one run reads. With one request for each of the other ten steps, a run has 20 requests. */
export const MAX_READS = 10;

/** Id of a study or a project, from the command line or from the list of studies. The report never contains the id. */
export interface KnownId {
  readonly id: string;
  /** Text that the report shows instead of the id, such as `item 1 of GET #1`. */
  readonly origin: string;
}

/** A kind of request. The step `read` sends one request for each study, any other step at most one. */
export interface Step {
  readonly id: string;
  /** Path and query. `$STUDY_ID` and `$PROJECT_ID` are placeholders for ids that are known only at run time. */
  readonly path: string;
  /** Token to send instead of the configured token; `null` to send no token. */
  readonly token?: string | null;
  /** Error status that the request provokes on purpose. The probe does not stop at this status. */
  readonly provokes?: number;
  /** Values of `page` and `size` that the answer should have. */
  readonly page?: { readonly page: number; readonly size: number };
}

const ofStudy = '/studies/$STUDY_ID';
const ofProject = '/studies?projectId=$PROJECT_ID';

/** All steps in the order in which they run. Steps that a healthy API may refuse come last. */
export const steps: readonly Step[] = [
  { id: 'list', path: '/studies', page: { page: 1, size: 50 } },
  { id: 'list.first', path: '/studies?page=1&size=1', page: { page: 1, size: 1 } },
  { id: 'list.second', path: '/studies?page=2&size=1', page: { page: 2, size: 1 } },
  { id: 'list.project', path: ofProject },
  { id: 'list.stranger', path: `/studies?projectId=${UNKNOWN_ID}` },
  { id: 'list.projects', path: `${ofProject},${UNKNOWN_ID}` },
  { id: 'read', path: ofStudy },
  { id: 'read.unknown', path: `/studies/${UNKNOWN_ID}` },
  { id: 'read.bad-id', path: '/studies/not-a-uuid' },
  { id: 'auth.none', path: ofStudy, token: null, provokes: 401 },
  { id: 'auth.wrong', path: ofStudy, token: WRONG_TOKEN, provokes: 401 },
];

/** Returns path, id and origin of each request of a step: none if the step needs an id and none is known. */
export function toTargets(
  { id: step, path }: Step,
  known: Readonly<Record<'$STUDY_ID' | '$PROJECT_ID', readonly KnownId[]>>,
): ({ path: string } & Partial<KnownId>)[] {
  const variable = (['$STUDY_ID', '$PROJECT_ID'] as const).find((name) => path.includes(name));
  if (variable === undefined) return [{ path }];
  return known[variable].slice(0, step === 'read' ? MAX_READS : 1).map(({ id, origin }) => ({
    path: path.replace(variable, () => encodeURIComponent(id)),
    id,
    origin,
  }));
}

/** Returns a step as a curl command. The shell replaces `$STUDY_API_TOKEN` and the placeholders for ids. */
export function toCurl({ path, token = '$STUDY_API_TOKEN' }: Step, baseUrl: URL): string {
  const base = baseUrl.href.replace(/\/+$/, '').replaceAll('$', String.raw`\$`);
  const bearer = token === null ? '' : ` -H "Authorization: Bearer ${token}"`;
  return `curl -i "${base}${path}"${bearer} -H "Accept: application/json"`;
}
