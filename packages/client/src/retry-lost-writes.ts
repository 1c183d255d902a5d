import { findAnswer, isRecord, parse, type UnknownRecord } from './answer.js';
import { saysNothing } from './idempotency-keys.js';
import { studyProblem } from './study-problem.js';

declare function setTimeout(end: () => void, ms: number): unknown;

/** The part of `Response` that tells whether the answer has arrived. */
interface ResponseLike {
  readonly status: number;
  clone(): { text(): Promise<string> };
}

interface Init {
  readonly body?: unknown;
  readonly signal?: { readonly aborted: boolean } | null;
}

interface Options {
  /**
   * Names of the operations that make one write, with its key in the variable `idempotencyKey`. Default: the operations
   * of this package.
   */
  readonly operations?: readonly string[];
  /** Longest wait before each repeat, in ms; a wait is half as long at least. Default: 1000, 2000 and 4000. */
  readonly longestWaitsMs?: readonly number[];
}

/**
 * Wraps `fetch` so that a write with an idempotency key is sent again when its connection fails: at most three times,
 * within 7 s of waiting. A page of a proxy with status 500 or more counts as a failed connection. Only an answer that
 * settles the write replaces the failure of the first try: a repeat that was not sent says nothing about that try.
 *
 * ```ts
 * new HttpLink({ uri, fetch: retryLostWrites(fetch) });
 * ```
 */
export function retryLostWrites<Fetch extends (...args: never[]) => Promise<ResponseLike>>(
  fetch: Fetch,
  { operations = ['CreateStudy', 'EditStudy'], longestWaitsMs = [1000, 2000, 4000] }: Options = {},
): Fetch {
  const retrying = async (input: unknown, init?: Init): Promise<ResponseLike> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments are those of `fetch`
    const send = () => fetch(...([input, init] as never[]));
    if (!hasKey(init?.body, operations)) return send();
    const first = await read(send());
    if (first.answer !== undefined) return first.end();
    for (const longest of longestWaitsMs) {
      if (init?.signal?.aborted) break;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, (longest * (1 + Math.random())) / 2);
      });
      const { answer, end } = await read(send());
      if (answer && settles(answer)) return end();
    }
    return first.end();
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- takes and returns what `fetch` does
  return retrying as unknown as Fetch;
}

/** One try. Without an `answer` nobody knows whether the request arrived. `end` returns the response or throws the error. */
interface Try {
  readonly answer: UnknownRecord | undefined;
  readonly end: () => ResponseLike;
}

async function read(call: Promise<ResponseLike>): Promise<Try> {
  try {
    const response = await call;
    const body = parse(await response.clone().text());
    const isAnswer = isRecord(body) && ('data' in body || findAnswer([body]) !== undefined);
    const answer = isAnswer ? body : response.status < 500 ? {} : undefined;
    return { answer, end: () => response };
  } catch (error) {
    return {
      answer: isRecord(error) && error.name === 'AbortError' ? {} : undefined,
      end: () => {
        throw error;
      },
    };
  }
}

/** Returns true if the answer to a repeat is about the write, and not only about this repeat. */
function settles(answer: UnknownRecord): boolean {
  if (!findAnswer([answer])) return 'data' in answer;
  return !saysNothing(studyProblem(answer, 'mutation'));
}

function hasKey(body: unknown, operations: readonly string[]): boolean {
  const operation = typeof body === 'string' ? parse(body) : undefined;
  return (
    isRecord(operation) &&
    operations.some((name) => name === operation.operationName) &&
    isRecord(operation.variables) &&
    typeof operation.variables.idempotencyKey === 'string'
  );
}
