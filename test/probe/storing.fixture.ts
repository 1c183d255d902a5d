import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { startStudyApi, type TestStudyApi } from '../support/study-api.js';
import { token, type Answer } from './fastapi.fixture.js';

type Fields = Readonly<Record<string, unknown>>;

interface Written {
  readonly method: string;
  /** Id in the path; `undefined` without one. */
  readonly id: string | undefined;
  readonly sent: Fields;
  readonly headers: IncomingHttpHeaders;
  readonly studies: Map<string, Fields>;
  readonly response: ServerResponse;
}

/** Returns another answer; `undefined` for none. */
export type WriteLie = (answer: Answer, written: Written) => Answer | undefined;

export interface StoringApi extends TestStudyApi {
  readonly studies: ReadonlyMap<string, Fields>;
}

/** Values of a study that a create omits. */
export const empty = {
  description: null,
  createdAt: '2026-01-01T00:00:00Z',
  bookmarked: false,
  language: 'en',
  audiences: [],
  audiencesObj: [],
  problems: [],
  problemsObj: [],
  files: [],
  planId: 'a-plan',
  progress: null,
  status: 'draft',
  solutionId: null,
  solution: null,
  researchGoalId: null,
  researchGoal: null,
  knowledgeGraphs: [],
  strategy: 'solution_feedback',
  interviewCount: null,
  interviews: [],
  summaries: [],
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export interface StoringOptions {
  /** Whether studies can be listed and read. */
  readonly canRead?: boolean;
  /** Changes what a request says, before it is stored. */
  readonly receive?: (sent: Fields) => Fields;
}

/** Starts a Study API that stores what it is sent, but for what `lie` changes. */
export async function startStoring(
  lie: WriteLie = (answer) => answer,
  { canRead = true, receive = (sent) => sent }: StoringOptions = {},
): Promise<StoringApi> {
  const studies = new Map<string, Fields>();
  const api = await startStudyApi((response, { method, url, headers, body }) => {
    const { pathname, searchParams } = new URL(url, 'http://study.example');
    const id = /^\/studies\/(.+)$/.exec(pathname)?.[1];
    const sent: Fields = body === '' ? {} : JSON.parse(body);
    const isKnown = headers.authorization === `Bearer ${token}`;
    const truth = isKnown
      ? answerTruly(studies, method, id, receive(sent), searchParams, canRead)
      : { status: 401, body: { detail: 'Who are you?' } };
    const answer = lie(truth, { method, id, sent, headers, studies, response });
    if (!answer) return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.raw ?? JSON.stringify(answer.body));
  });
  return { ...api, studies };
}

function answerTruly(
  studies: Map<string, Fields>,
  method: string,
  id: string | undefined,
  sent: Fields,
  query: URLSearchParams,
  canRead: boolean,
): Answer {
  if (method === 'GET' && !canRead) return { status: 405, body: { detail: 'Not Allowed' } };
  if (id !== undefined && !UUID.test(id)) return refuse('path', 'study_id');
  if (method === 'GET' && id === undefined) return list([...studies.values()], query);
  const { projectId } = sent;
  if (typeof projectId === 'string' && !UUID.test(projectId)) return refuse('body', 'projectId');
  if (!/boolean|undefined/.test(typeof sent['bookmarked'])) return refuse('body', 'bookmarked');
  const known = id === undefined ? { ...empty, id: randomUUID() } : studies.get(id);
  if (!known) return { status: 404, body: { detail: 'Not Found' } };
  const fields = Object.entries(sent).filter(([name]) => name in empty || name === 'projectId');
  if (method !== 'GET')
    studies.set(String(known['id']), { ...known, ...Object.fromEntries(fields) });
  return { status: 200, body: studies.get(String(known['id'])) };
}

function list(all: readonly Fields[], query: URLSearchParams): Answer {
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('size') ?? 50);
  const ids = query.get('projectId')?.split(',');
  const found = all.filter(({ projectId }) => !ids || ids.includes(String(projectId)));
  const items = found.slice((page - 1) * size, page * size);
  const pages = Math.ceil(found.length / size);
  return { status: 200, body: { items, total: found.length, page, size, pages } };
}

function refuse(...loc: readonly string[]): Answer {
  return { status: 422, body: { detail: [{ loc, msg: 'Input should be valid', type: 'wrong' }] } };
}
