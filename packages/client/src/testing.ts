// The entry `study-gateway-client/testing`: answers of the gateway, for the tests of a frontend.
import { StudyFieldsFragmentDoc, type StudyFieldsFragment } from './generated/operations.js';
import { newIdempotencyKey } from './safe-writes/platform.js';

/** The fields of a study in the documents, all `null`. */
function toEmptyFields(): Readonly<Record<string, null>> {
  const fields = StudyFieldsFragmentDoc.definitions.flatMap((fragment) =>
    'selectionSet' in fragment ? fragment.selectionSet.selections : [],
  );
  return Object.fromEntries(
    fields.flatMap((field) => ('name' in field ? [[field.name.value, null]] : [])),
  );
}

/** Makes a whole study as the gateway answers it. Studies differ in their ids. */
export function aStudy(
  fields: Partial<StudyFieldsFragment> = {},
): StudyFieldsFragment & { readonly __typename: 'Study' } {
  const study = {
    ...toEmptyFields(),
    __typename: 'Study',
    id: newIdempotencyKey(),
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has every field of the documents
  return study as unknown as ReturnType<typeof aStudy>;
}

/** The response to a failed operation, with the root field that failed. */
interface FailedResponse {
  readonly data: Readonly<Record<string, object | null>>;
  readonly errors: readonly {
    readonly message: string;
    readonly path: readonly [string, ...(string | number)[]];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

const fail = (field: string, code: string, facts: object): FailedResponse => ({
  data: { [field]: null },
  errors: [
    {
      message: `Failed in a test: ${code}.`,
      path: [field],
      extensions: { code, retryable: false, ...facts, requestId: newIdempotencyKey() },
    },
  ],
});

const fieldErrors = [{ path: ['input', 'projectId'], message: 'There is no such project.' }];

/** One response of each kind of problem, to a write that is the root field `field`, or to a read. */
export const failedResponses = {
  notSent: (field = 'createStudy') =>
    fail(field, 'UPSTREAM_UNAVAILABLE', { outcome: 'NOT_SENT', retryable: true }),
  rejected: (field = 'createStudy') =>
    fail(field, 'BAD_USER_INPUT', { outcome: 'REJECTED', upstreamStatus: 422, fieldErrors }),
  applied: (field = 'createStudy', study = aStudy()): FailedResponse => {
    const { errors } = fail(field, 'UPSTREAM_CONTRACT', { outcome: 'APPLIED', studyId: study.id });
    return {
      data: { [field]: { ...study, audiences: null } },
      errors: errors.map((error) => Object.assign(error, { path: [field, 'audiences'] as const })),
    };
  },
  unknown: (field = 'createStudy') => fail(field, 'UPSTREAM_UNAVAILABLE', { outcome: 'UNKNOWN' }),
  readFailed: (field = 'study') => fail(field, 'UPSTREAM_UNAVAILABLE', { retryable: true }),
} as const;
