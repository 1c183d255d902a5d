import type { IncomingHttpHeaders } from 'node:http';
import { startStudyApi, type TestStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

export const token = 'a-token';
export const projects = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
] as const;

type Study = Readonly<Record<string, unknown>>;

/** Three studies in two projects. */
export const studies: readonly Study[] = [
  { ...wholeStudy, id: '00000000-0000-4000-8000-000000000000', projectId: projects[0] },
  { ...wholeStudy, id: '10000000-0000-4000-8000-000000000001', projectId: projects[1] },
  { ...wholeStudy, id: '20000000-0000-4000-8000-000000000002', projectId: projects[0] },
];

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  /** Bytes to send in place of the body. */
  readonly raw?: string | Buffer;
}

export interface Asked {
  /** `/studies` or `/studies/{id}`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** True if the request has the valid token. */
  readonly isKnown: boolean;
}

/** Returns a changed answer; `undefined` to never answer. */
export type Lie = (answer: Answer, asked: Asked) => Answer | undefined;

/**
 * Starts a fake Study API that behaves like FastAPI 0.122 or later (401 without a token) with fastapi-pagination (`Page`),
 * except for what `lie` changes.
 */
export function startFastApi(lie: Lie = (answer) => answer): Promise<TestStudyApi> {
  return startStudyApi((response, { url, headers }) => {
    const { pathname, searchParams } = new URL(url, 'http://study.example');
    const path = pathname.replace(/^\/api\/v1/, '');
    const isKnown = headers.authorization === `Bearer ${token}`;
    const asked = { path, query: searchParams, headers, isKnown };
    const answer = lie(answerTruly(asked), asked);
    if (!answer) return;
    const { status, body, raw, headers: more } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(raw ?? JSON.stringify(body));
  });
}

export function answerTruly({ path, query, isKnown, headers }: Asked): Answer {
  if (!isKnown) {
    const detail = headers.authorization ? 'Invalid token' : 'Not authenticated';
    return { status: 401, body: { detail }, headers: { 'www-authenticate': 'Bearer' } };
  }
  if (path === '/studies') return { status: 200, body: toPage(query) };
  const [, id] = /^\/studies\/([^/]+)$/.exec(path) ?? [];
  if (id === undefined) return { status: 404, body: { detail: 'Not Found' } };
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return toUuidError(id);
  const study = studies.find((one) => one['id'] === id);
  return study
    ? { status: 200, body: study }
    : { status: 404, body: { detail: 'Study not found' } };
}

/** Returns a `Page` of fastapi-pagination. Defaults as in its `Params`: `page` 1, `size` 50. */
function toPage(query: URLSearchParams) {
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('size') ?? 50);
  const projectIds = query.get('projectId')?.split(',');
  const all = studies.filter(
    ({ projectId }) => !projectIds || projectIds.includes(String(projectId)),
  );
  const items = all.slice((page - 1) * size, page * size);
  return { items, total: all.length, page, size, pages: Math.ceil(all.length / size) };
}

/** Returns the 422 of FastAPI with Pydantic 2 for a malformed UUID. */
function toUuidError(input: string): Answer {
  const error = 'invalid character: expected an optional prefix of `urn:uuid:`, found `n` at 1';
  const detail = [
    {
      type: 'uuid_parsing',
      loc: ['path', 'study_id'],
      msg: `Input should be a valid UUID, ${error}`,
      input,
      ctx: { error },
    },
  ];
  return { status: 422, body: { detail } };
}
