import type { FastifyRequest } from 'fastify';
import { RestError, type Attempt, type Entry, type OnCall } from 'rest-outcome';
import type { CallContext } from '../../context.js';
import type { OperationListener } from '../../graphql/listener.js';

/** The one header that holds the token. The path, the body and the other headers are shown as they were sent. */
const TOKEN_HEADER = 'authorization';

/** Starts an explanation if a request has the header `x-study-explain: 1`. Never call it in production. */
export function toExplanation({ headers }: FastifyRequest): object[] | undefined {
  return headers['x-study-explain'] === '1' ? [] : undefined;
}

/** Adds `extensions.explain` to the response of an operation that requested an explanation. */
export const explainListener: OperationListener = {
  willSendResponse({ contextValue: { explanation }, response: { body } }) {
    if (!explanation || body.kind !== 'single') return;
    const { singleResult } = body;
    singleResult.extensions = { ...singleResult.extensions, explain: explanation };
  },
};

/** Records the calls of operations that have an explanation. `failure` is the row of `failures.ts`. */
export const explainCalls: OnCall<CallContext> = (call, { explanation }) => {
  if (!explanation) return undefined;
  const startedAt = performance.now();
  return (error) => {
    // The path names a study that this caller cannot read.
    if (call.hidesPath && error !== undefined) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const failure = error instanceof RestError ? error.failure : undefined;
    explanation.push({ ...toShown(call), ms, failure });
  };
};

/** The response omits members that are `undefined`: a call without an attempt has no `headers` and no `curl`. */
function toShown(call: Entry): object {
  const { method, path, body, attempts } = call;
  const attempt = attempts.at(-1);
  const headers = { ...call.headers, [TOKEN_HEADER]: 'Bearer $STUDY_API_TOKEN' };
  return {
    method,
    path: attempt?.path ?? path,
    headers: attempt && headers,
    body,
    status: attempt?.status,
    attempts: attempts.length,
    curl: attempt && toCurl(call, attempt, headers),
  };
}

/** Returns a command line for a POSIX shell, with everything but the variable of the token in single quotes. */
function toCurl({ method, body }: Entry, { origin, path }: Attempt, headers: object): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const toHeader = ([name, value]: [string, string]): string =>
    name === TOKEN_HEADER ? `-H "${name}: ${value}"` : `-H ${quote(`${name}: ${value}`)}`;
  return [
    `curl -X ${method} ${quote(origin + path)}`,
    ...Object.entries<string>({ ...headers }).map(toHeader),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' ');
}
