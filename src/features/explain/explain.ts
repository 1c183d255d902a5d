import type { IncomingHttpHeaders } from 'node:http';
import { RestError } from '../../rest/errors.js';
import type { RestAttempt, RestCall } from '../../rest/rest-call.js';
import type { RestSender } from '../../rest/rest-call.js';
import { toRestProblem } from '../../graphql/rest-problem.js';
import type { OperationListener } from '../../graphql/operation-listener.js';

/** One REST call of an operation, for developers to read. `$STUDY_API_TOKEN` stands in place of the token. */
interface ExplainedCall {
  readonly method: string;
  /** Path in the request line, including the path of the base URL. */
  readonly path: string;
  /** Request headers; absent, like `curl`, when no attempt was made. */
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

  /** Wraps a client, and records its calls. */
  explained(rest: RestSender): RestSender {
    return {
      send: async (call) => {
        const attempts: RestAttempt[] = [];
        const startedAt = performance.now();
        let rule =
          call.arrayAs === undefined
            ? '2xx with a JSON object: the study'
            : '2xx with a JSON object or array: a page of studies';
        try {
          return await rest.send({ ...call, onAttempt: (attempt) => attempts.push(attempt) });
        } catch (error) {
          rule = toRule(error);
          throw error;
        } finally {
          this.calls.push(explain(call, attempts, performance.now() - startedAt, rule));
        }
      },
    };
  }
}

function toRule(error: unknown): string {
  if (!(error instanceof RestError)) return 'a defect of the gateway: INTERNAL_SERVER_ERROR';
  const { code, outcome } = toRestProblem(error);
  const what = error.status === undefined ? error.name : `${error.name} (${error.status})`;
  return `${what}: ${[code, outcome].filter(Boolean).join(', ')}`;
}

function explain(
  call: RestCall,
  attempts: readonly RestAttempt[],
  ms: number,
  rule: string,
): ExplainedCall {
  const hide = (text: string): string => text.replaceAll(call.token, '$STUDY_API_TOKEN');
  const { method, path, body } = call;
  const last = attempts.at(-1);
  return {
    method,
    path: last?.path ?? path,
    ...(last && { headers: JSON.parse(hide(JSON.stringify(last.headers))) }),
    ...(body !== undefined && { body: hide(body) }),
    ...(last?.status !== undefined && { status: last.status }),
    ms: Math.round(ms * 10) / 10,
    attempts: attempts.length,
    rule,
    ...(last && { curl: toCurl(call, last) }),
  };
}

/** Returns a command line for a POSIX shell, with everything but the token in single quotes. */
function toCurl({ method, body, token }: RestCall, { origin, path, headers }: RestAttempt): string {
  const quote = (text: string): string =>
    `'${text.replaceAll("'", String.raw`'\''`).replaceAll(token, `'"$STUDY_API_TOKEN"'`)}'`;
  return [
    `curl -X ${method} ${quote(origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(name + ': ' + value)}`),
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
  { isProduction }: { readonly isProduction: boolean },
): ExplainContext {
  const isAsked = !isProduction && headers['x-study-explain'] === '1';
  return isAsked ? { explanation: new Explanation() } : {};
}

/** Wraps a client to record the calls of an operation with an explanation; otherwise returns the client unchanged. */
export function explained(rest: RestSender, { explanation }: ExplainContext): RestSender {
  return explanation?.explained(rest) ?? rest;
}
