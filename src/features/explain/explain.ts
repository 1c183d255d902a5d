import type { IncomingHttpHeaders } from 'node:http';
import { RestError } from '../../rest/errors.js';
import type { Wrap } from '../../rest/operation.js';
import type { RestAttempt, RestCall } from '../../rest/rest-call.js';
import { toRestProblem } from '../../errors/client-error.js';
import type { FieldError } from '../../errors/refusal.js';
import type { OperationListener } from '../../graphql/operation-listener.js';

/** One REST call of an operation, for developers to read. */
interface ExplainedCall {
  readonly method: string;
  /** Path in the request line, including the path of the base URL. */
  readonly path: string;
  /** Request headers; absent, like `curl`, when no attempt was made. `authorization` has `$STUDY_API_TOKEN` as its token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Request body as it was sent; absent when the request had none. */
  readonly body?: string;
  /** Status of the answer to the last attempt; absent when it got no answer. */
  readonly status?: number;
  /** Duration of the call in ms, including the wait in the queue and all attempts. */
  readonly ms: number;
  readonly attempts: number;
  /** How the gateway interpreted the answer or error. */
  readonly rule: string;
  /** Reasons that the Study API gave for its refusal, as the client gets them. */
  readonly upstreamMessage?: string | undefined;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  /** Command line that repeats the call, in a shell in which `STUDY_API_TOKEN` is set. */
  readonly curl?: string;
}

/** The slice of an operation's context that this listener reads. */
export interface ExplainContext {
  /** Set only for an operation that requested an explanation. */
  readonly explanation?: Explanation | undefined;
}

/** Records the REST calls of one operation. */
class Explanation {
  readonly calls: ExplainedCall[] = [];

  /** @param isOwnToken true if a 401 or 403 is about the gateway's own token: its reasons are not shown */
  constructor(private readonly isOwnToken: boolean) {}

  /** Records a call that has ended. `error` is `undefined` for a call that succeeded. */
  record(call: RestCall, ms: number, error: unknown): void {
    const what = call.arrayAs === undefined ? ': the study' : ' or array: a page of studies';
    const success = { rule: `2xx with a JSON object${what}` };
    const verdict = error === undefined ? success : this.#toVerdict(error);
    this.calls.push(explain(call, ms, verdict));
  }

  #toVerdict(error: unknown): Verdict {
    if (!(error instanceof RestError))
      return { rule: 'a defect of the gateway: INTERNAL_SERVER_ERROR' };
    const { code, outcome, upstreamMessage, fieldErrors } = toRestProblem(error);
    const { label } = error.meaning;
    const what = error.status === undefined ? label : `${label} (${error.status})`;
    const rule = `${what}: ${[code, outcome].filter(Boolean).join(', ')}`;
    const isAboutUs = this.isOwnToken && error.meaning.judgesToken;
    return isAboutUs ? { rule } : { rule, upstreamMessage, fieldErrors };
  }
}

/** How the gateway interpreted the end of a call. */
type Verdict = Pick<ExplainedCall, 'rule' | 'upstreamMessage' | 'fieldErrors'>;

function explain(call: RestCall, ms: number, verdict: Verdict): ExplainedCall {
  const { method, path, body, entry } = call;
  const { attempts } = entry;
  const last = toShown(attempts.at(-1));
  return {
    method,
    path: last?.path ?? path,
    ...(last && { headers: last.headers }),
    ...(body !== undefined && { body }),
    ...(last?.status !== undefined && { status: last.status }),
    ms: Math.round(ms * 10) / 10,
    attempts: attempts.length,
    ...verdict,
    ...(last && { curl: toCurl(call, last) }),
  };
}

/** The one header that holds the token. The path, the body and the other headers are shown as they were sent. */
const TOKEN_HEADER = 'authorization';

/** Returns the attempt with `$STUDY_API_TOKEN` in place of the token. */
function toShown(attempt: RestAttempt | undefined): RestAttempt | undefined {
  return (
    attempt && {
      ...attempt,
      headers: { ...attempt.headers, [TOKEN_HEADER]: 'Bearer $STUDY_API_TOKEN' },
    }
  );
}

/** Returns a command line for a POSIX shell, with everything but the variable of the token in single quotes. */
function toCurl({ method, body }: RestCall, { origin, path, headers }: RestAttempt): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const toHeader = ([name, value]: [string, string]): string =>
    name === TOKEN_HEADER ? `-H "${name}: ${value}"` : `-H ${quote(`${name}: ${value}`)}`;
  return [
    `curl -X ${method} ${quote(origin + path)}`,
    ...Object.entries(headers).map(toHeader),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' ');
}

/** Adds `extensions.explain` to the response of an operation that requested an explanation. */
export const explainListener: OperationListener<ExplainContext> = {
  async willSendResponse({ contextValue: { explanation }, response: { body } }) {
    if (!explanation || body.kind !== 'single') return;
    const { singleResult } = body;
    singleResult.extensions = { ...singleResult.extensions, explain: explanation.calls };
  },
};

/** Starts an explanation if a request has the header `x-study-explain: 1`, but never in production. */
export function toExplainContext(
  { headers }: { readonly headers: IncomingHttpHeaders },
  { isProduction, authMode }: ExplainOptions,
): ExplainContext {
  const isAsked = !isProduction && headers['x-study-explain'] === '1';
  return isAsked ? { explanation: new Explanation(authMode === 'service') } : {};
}

interface ExplainOptions {
  readonly isProduction: boolean;
  /** With `service`, a token that the Study API refuses is the gateway's own, not the caller's. */
  readonly authMode: 'forward' | 'service';
}

/** Records the calls of operations that have an explanation. */
export const explained: Wrap<ExplainContext> = (next) => (call, operation) => {
  const { explanation } = operation.about;
  if (!explanation) return next(call, operation);
  const startedAt = performance.now();
  const record = (error?: unknown): void =>
    explanation.record(call, performance.now() - startedAt, error);
  return next(call, operation).then(
    (answer) => {
      record();
      return answer;
    },
    (error: unknown) => {
      record(error);
      throw error;
    },
  );
};
