// The entry `study-gateway-client/testing`: a gateway in memory, for the tests of a frontend.
import { optimisticStudy } from './apollo-cache.js';
import type { CreateStudyInput, StudyFieldsFragment } from './generated/operations.js';
import { newIdempotencyKey } from './idempotency-keys.js';
import type { FieldError } from './problem.js';

/** The parts of the Fetch standard that a handler of MSW needs. */
declare const Response: { readonly json: (body: object) => never; readonly error: () => never };
declare const URL: new (url: string) => { readonly searchParams: Iterable<[string, string]> };

interface RequestLike {
  readonly method: string;
  readonly url: string;
  json(): Promise<MockOperation>;
}

/** `http` of MSW 2 or 3. */
interface HttpOfMsw<Handler> {
  all(path: string, resolver: (info: { readonly request: RequestLike }) => Promise<never>): Handler;
}

export type MockStudy = StudyFieldsFragment & { readonly __typename: 'Study' };

/** Makes a whole study as the gateway answers it. Studies differ in their ids. */
export function mockStudy(fields: Partial<StudyFieldsFragment> = {}): MockStudy {
  return {
    // Every field of the documents, and a new id.
    ...optimisticStudy({}),
    description: 'Why do people leave?',
    projectId: '123e4567-e89b-12d3-a456-426614174000',
    createdAt: '2026-03-01T09:30:00.123456+01:00',
    bookmarked: false,
    language: 'en',
    audiences: ['People who left'],
    audiencesObj: [],
    problems: [],
    problemsObj: [],
    files: [],
    status: 'draft',
    knowledgeGraphs: [],
    strategy: 'problem_exploration',
    interviewCount: 12,
    interviews: [],
    summaries: [],
    ...fields,
  };
}

interface Failure {
  readonly code: string;
  /** Outcome of a write. */
  readonly outcome: 'NOT_SENT' | 'REJECTED' | 'APPLIED' | 'UNKNOWN';
  /** For a write and for a read. */
  readonly retryable: readonly [write: boolean, read: boolean];
  readonly isStored?: true;
  readonly details?: object;
}

const rejected = { outcome: 'REJECTED', retryable: [false, false] } as const;

/** Answers of the gateway by problem. */
const failures = {
  notSent: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'NOT_SENT', retryable: [true, true] },
  unauthenticated: { code: 'UNAUTHENTICATED', outcome: 'NOT_SENT', retryable: [false, false] },
  forbidden: {
    ...rejected,
    code: 'FORBIDDEN',
    details: { upstreamStatus: 403, upstreamMessage: 'Not enough permissions' },
  },
  notFound: {
    ...rejected,
    code: 'NOT_FOUND',
    details: { upstreamStatus: 404, upstreamMessage: 'Study not found' },
  },
  conflict: {
    ...rejected,
    code: 'CONFLICT',
    details: { upstreamStatus: 409, upstreamMessage: 'The study was changed by somebody else' },
  },
  rejected: { ...rejected, code: 'BAD_USER_INPUT', details: { upstreamStatus: 422 } },
  rateLimited: {
    code: 'RATE_LIMITED',
    outcome: 'REJECTED',
    retryable: [true, true],
    details: { upstreamStatus: 429, retryAfterSeconds: 7, upstreamMessage: 'Too many requests' },
  },
  /** Nobody knows what became of a write; here it was made. */
  unknown: {
    code: 'UPSTREAM_UNAVAILABLE',
    outcome: 'UNKNOWN',
    retryable: [false, true],
    isStored: true,
  },
  /** A write was made, and one field of the answer could not be read: the others arrive. */
  drift: {
    code: 'UPSTREAM_CONTRACT',
    outcome: 'APPLIED',
    retryable: [false, false],
    isStored: true,
  },
} as const satisfies Readonly<Record<string, Failure>>;

/** A problem to mock; `noAnswer` loses the connection to the gateway itself. */
export type MockFailure = keyof typeof failures | 'noAnswer';

export interface MockOperation {
  readonly query: string;
  readonly variables?: MockVariables;
}

interface MockVariables {
  readonly id?: string;
  readonly input?: CreateStudyInput;
  readonly page?: number | null;
  readonly size?: number | null;
  readonly projectId?: string | readonly string[] | null;
}

/** The root field of an operation, with its alias. */
const ROOT_FIELD = /\{\s*(?:(\w+)\s*:\s*)?(createStudy|editStudy|studies|study)\b/;

/**
 * A gateway in memory. Answers operations that have one root field of the schema and name their variables like the
 * arguments, as all documents of this package do, with whole studies, whatever the operation selects.
 */
export class MockGateway {
  /** The stored studies by id, oldest first. */
  readonly studies: Map<string, MockStudy>;
  /** Problem with which every operation fails. Default: none fails. */
  failure: MockFailure | undefined;
  /** Errors of single values, for the failure `rejected`. */
  fieldErrors: readonly FieldError[] = [
    { path: ['input', 'projectId'], message: 'There is no such project.' },
  ];

  constructor(studies: readonly MockStudy[] = []) {
    this.studies = new Map(studies.map((study) => [study.id, study]));
  }

  /** The handlers of MSW for `setupServer` or `setupWorker`: `gateway.handlers(http)`. */
  handlers<Handler>(http: HttpOfMsw<Handler>, path = '*/graphql'): Handler[] {
    return [
      http.all(path, async ({ request }) => {
        const operation = await toOperation(request);
        return this.failure === 'noAnswer'
          ? Response.error()
          : Response.json(this.answer(operation));
      }),
    ];
  }

  /** Returns the body of the response, for a mock of your own, such as Playwright's `route.fulfill`. */
  answer({ query, variables = {} }: MockOperation): object {
    const [, alias, field = ''] = ROOT_FIELD.exec(query) ?? [];
    const name = alias ?? field;
    const isWrite = field === 'createStudy' || field === 'editStudy';
    const isMissing = field === 'editStudy' && !this.studies.has(String(variables.id));
    const kind = this.failure ?? (isMissing ? 'notFound' : undefined);
    if (kind === undefined) return { data: { [name]: this.#run(field, variables) } };
    if (kind === 'noAnswer') throw new Error('The failure noAnswer has no answer.');
    const failure: Failure = failures[kind];
    const study =
      failure.isStored && (isWrite || kind === 'drift') ? this.#run(field, variables) : null;
    const error = this.#toError(kind, failure, isWrite, study);
    if (kind !== 'drift' || !study)
      return { errors: [{ ...error, path: [name] }], data: { [name]: null } };
    const isList = 'items' in study;
    const path = isList ? [name, 'items', 0, 'audiences'] : [name, 'audiences'];
    const data = isList
      ? {
          ...study,
          items: study.items.map((item, index) => (index === 0 ? toDrifted(item) : item)),
        }
      : toDrifted(study);
    return { errors: [{ ...error, path }], data: { [name]: data } };
  }

  #toError(kind: keyof typeof failures, failure: Failure, isWrite: boolean, study: object | null) {
    const { code, outcome, retryable, details } = failure;
    const fieldErrors = isWrite ? this.fieldErrors : [{ path: ['id'], message: 'Not a good id.' }];
    return {
      message: `The mock gateway fails: ${kind}.`,
      extensions: {
        code,
        ...((isWrite || outcome === 'NOT_SENT') && { outcome }),
        ...details,
        ...(kind === 'rejected' && { fieldErrors }),
        retryable: retryable[isWrite ? 0 : 1],
        ...(isWrite && kind === 'drift' && study && 'id' in study && { studyId: study.id }),
        requestId: newIdempotencyKey(),
      },
    };
  }

  #run(field: string, variables: MockVariables) {
    const { id = '', input = {} } = variables;
    if (field === 'study') return this.studies.get(id) ?? null;
    if (field === 'studies') return this.#list(variables);
    const known = field === 'editStudy' ? this.studies.get(id) : undefined;
    const study = known ?? mockStudy({ description: null, audiences: [], interviewCount: null });
    const { total = null, completed = null, failed = null } = input.progress ?? {};
    const progress = input.progress ? { total, completed, failed } : study.progress;
    const stored = Object.assign({ ...study }, input, { progress });
    this.studies.set(stored.id, stored);
    return stored;
  }

  #list({ page: given, size: asked, projectId }: MockVariables) {
    const [page, size] = [given ?? 1, asked ?? 50];
    const projects = new Set<unknown>([projectId ?? []].flat());
    // oxlint-disable-next-line unicorn/no-array-reverse -- `toReversed` is not in ES2022
    const newestFirst = Array.from(this.studies.values()).reverse();
    const all = newestFirst.filter((study) => projects.size === 0 || projects.has(study.projectId));
    const items = all.slice((page - 1) * size, page * size);
    const pages = Math.ceil(all.length / size);
    return { __typename: 'StudyPage', items, page, size, total: all.length, pages };
  }
}

function toDrifted(study: MockStudy): MockStudy {
  return { ...study, audiences: null };
}

/** The operation of a POST, or of a GET, by which urql reads. */
async function toOperation(request: RequestLike): Promise<MockOperation> {
  if (request.method !== 'GET') return request.json();
  const { query = '', variables = '{}' } = Object.fromEntries(new URL(request.url).searchParams);
  return { query, variables: JSON.parse(variables) };
}
