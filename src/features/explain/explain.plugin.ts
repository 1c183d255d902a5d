import type { IncomingHttpHeaders } from 'node:http';
import type { ApolloServerPlugin } from '@apollo/server';
import { RestError } from '../../rest/errors.js';
import type { RestAttempt, RestCall } from '../../rest/rest-call.js';
import type { RestSender } from '../../rest/rest-client.js';
import { toRestProblem } from '../../graphql/rest-problem.js';

/** One REST call of an operation, for a person to read. Where the token stood, `$STUDY_API_TOKEN` does. */
interface ExplainedCall {
  readonly method: string;
  /** With the path of the base URL, as it stood in the request line. */
  readonly path: string;
  /** Absent, like the `curl` line, when nothing was sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The exact text; absent when there was none. */
  readonly body?: string;
  /** Status of the last answer; absent when there was none. */
  readonly status?: number;
  /** From the first attempt to the end of the last. */
  readonly ms: number;
  readonly attempts: number;
  /** How the answer was mapped. */
  readonly rule: string;
  /** Command line of the call, for a shell in which `STUDY_API_TOKEN` is set. */
  readonly curl?: string;
}

/** The slice of an operation's context. */
export interface ExplainContext {
  /** Set for an operation that asked for an explanation. */
  readonly explanation?: Explanation | undefined;
}

/** Writes down what one operation does at the Study API. */
class Explanation {
  readonly calls: ExplainedCall[] = [];

  /** Wraps a client, and writes down its calls. */
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

/** For a POSIX shell: everything in single quotes, but for the token. */
function toCurl({ method, body, token }: RestCall, { origin, path, headers }: RestAttempt): string {
  const quote = (text: string): string =>
    `'${text.replaceAll("'", String.raw`'\''`).replaceAll(token, `'"$STUDY_API_TOKEN"'`)}'`;
  return [
    `curl -X ${method} ${quote(origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(name + ': ' + value)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' ');
}

/** Adds `extensions.explain` to the answer of an operation that asked for it. */
export const explainPlugin: ApolloServerPlugin<ExplainContext> = {
  async requestDidStart() {
    return {
      async willSendResponse({ contextValue: { explanation }, response: { body } }) {
        if (!explanation || body.kind !== 'single') return;
        const { singleResult } = body;
        singleResult.extensions = { ...singleResult.extensions, explain: explanation.calls };
      },
    };
  },
};

/** Begins an explanation where the request asks for one, which production does not answer. */
export function toExplainContext(
  { headers }: { readonly headers: IncomingHttpHeaders },
  { isProduction }: { readonly isProduction: boolean },
): ExplainContext {
  const isAsked = !isProduction && headers['x-study-explain'] === '1';
  return isAsked ? { explanation: new Explanation() } : {};
}

/** Wraps a client for an operation that must be explained, and returns it unchanged for any other. */
export function explained(rest: RestSender, { explanation }: ExplainContext): RestSender {
  return explanation?.explained(rest) ?? rest;
}
