/** A UUID that no study and no project has. */
const UNKNOWN_ID = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
const WRONG_TOKEN = 'study-gateway-probe-wrong-token';
/** Most studies that are read. */
export const MAX_READS = 10;
/** Most requests of one run: each of the other steps asks once. */
export const MAX_REQUESTS = 20;

/** An id from the command line or from the list, with the words that name it in the report. */
export interface KnownId {
  readonly id: string;
  readonly origin: string;
}

/** What the steps may ask for. Never reported. */
export interface Known {
  /** Whether the list was answered. */
  readonly isListed: boolean;
  readonly studies: readonly KnownId[];
  readonly projects: readonly KnownId[];
}

/** One kind of request. */
export interface Step {
  readonly id: string;
  /** Path and query. `$STUDY_ID` and `$PROJECT_ID` stand for what is known only while the probe runs. */
  readonly path: string;
  /** Token in place of the configured one; `null` sends none. */
  readonly token?: string | null;
  /** Status that the request provokes. */
  readonly provokes?: number;
  /** `page` and `size` that the answer must be of. */
  readonly page?: { readonly page: number; readonly size: number };
}

const ofStudy = '/studies/$STUDY_ID';
const ofProject = '/studies?projectId=$PROJECT_ID';

/** Every request of the probe, in order: what a healthy API may refuse comes last. */
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

/** One request to send. */
export interface Target {
  readonly path: string;
  /** Ids in the path. */
  readonly ids: readonly string[];
  readonly origin?: string | undefined;
}

/** The requests of a step: one for each study of `read`; none where the id is not known, or the list not answered. */
export function toTargets({ id, path }: Step, { isListed, studies, projects }: Known): Target[] {
  if (id.startsWith('list.') && !isListed) return [];
  if (path.includes('$STUDY_ID'))
    return studies
      .slice(0, id === 'read' ? MAX_READS : 1)
      .map((known) => toTarget(path, '$STUDY_ID', known));
  if (path.includes('$PROJECT_ID'))
    return projects.slice(0, 1).map((known) => toTarget(path, '$PROJECT_ID', known));
  return [{ path, ids: [] }];
}

function toTarget(path: string, variable: string, { id, origin }: KnownId): Target {
  return { path: path.replace(variable, () => encodeURIComponent(id)), ids: [id], origin };
}

/** The path without ids and query. */
export function toTemplate({ path }: Step): string {
  return path.startsWith('/studies/') ? '/studies/{study_id}' : '/studies';
}

/** A step as a line for a shell. `$STUDY_API_TOKEN` is left to the shell. */
export function toCurl({ path, token = '$STUDY_API_TOKEN' }: Step, baseUrl: URL): string {
  const base = baseUrl.href.replace(/\/+$/, '').replaceAll('$', String.raw`\$`);
  const bearer = token === null ? '' : ` -H "Authorization: Bearer ${token}"`;
  return `curl -i "${base}${path}"${bearer} -H "Accept: application/json"`;
}
