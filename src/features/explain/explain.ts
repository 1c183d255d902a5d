import type { FastifyRequest } from 'fastify';
import { RestError, type Attempt, type Entry, type OnCall } from 'rest-outcome';
import type { CallContext, Explanation } from '../../context.js';
import { toRestProblem } from '../../errors/client-error.js';
import type { OperationListener } from '../../graphql/listener.js';

class CallExplanation implements Explanation {
  readonly calls: object[] = [];

  /** @param isOwnToken true if a 401 or 403 is about the gateway's own token: its reasons are not shown */
  constructor(private readonly isOwnToken: boolean) {}

  add(call: Entry, ms: number, error: unknown): void {
    // The path names a study that this caller cannot read.
    if (call.hidesPath && error !== undefined) return;
    const { attempts } = call;
    const attempt = attempts.at(-1);
    const headers = { ...call.headers, [TOKEN_HEADER]: 'Bearer $STUDY_API_TOKEN' };
    const last = attempt && { ...attempt, headers };
    // The response omits members that are `undefined`: a call without an attempt has no `headers` and no `curl`.
    this.calls.push({
      method: call.method,
      path: last?.path ?? call.path,
      headers: last?.headers,
      body: call.body,
      status: last?.status,
      ms: Math.round(ms * 10) / 10,
      attempts: attempts.length,
      ...this.#toVerdict(call, error),
      curl: last && toCurl(call, last),
    });
  }

  /** Returns how the gateway interpreted the end of a call, and the reasons for a refusal as the client gets them. */
  #toVerdict({ arrayAs, noun }: Entry, error: unknown): object {
    const what = arrayAs === undefined ? ': the' : ' or array: a';
    if (error === undefined) return { rule: `2xx with a JSON object${what} ${noun}` };
    if (!(error instanceof RestError))
      return { rule: 'a defect of the gateway: INTERNAL_SERVER_ERROR' };
    const { failure, status } = error;
    const { code, outcome, upstreamMessage, fieldErrors } = toRestProblem(error, this.isOwnToken);
    const name = status === undefined ? failure : `${failure} (${status})`;
    const rule = `${name}: ${[code, outcome].filter(Boolean).join(', ')}`;
    return { rule, upstreamMessage, fieldErrors };
  }
}

/** The one header that holds the token. The path, the body and the other headers are shown as they were sent. */
const TOKEN_HEADER = 'authorization';

/** Returns a command line for a POSIX shell, with everything but the variable of the token in single quotes. */
function toCurl(
  { method, body }: Entry,
  { origin, path, headers }: Attempt & Pick<Entry, 'headers'>,
): string {
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
export const explainListener: OperationListener = {
  willSendResponse({ contextValue: { explanation }, response: { body } }) {
    if (!explanation || body.kind !== 'single') return;
    const { singleResult } = body;
    singleResult.extensions = { ...singleResult.extensions, explain: explanation.calls };
  },
};

/** Starts an explanation if a request has the header `x-study-explain: 1`. Never call it in production. */
export function toExplanation(
  { headers }: FastifyRequest,
  isOwnToken: boolean,
): Explanation | undefined {
  return headers['x-study-explain'] === '1' ? new CallExplanation(isOwnToken) : undefined;
}

/** Records the calls of operations that have an explanation. */
export const explainCall: OnCall<CallContext> = (call, { explanation }) => {
  if (!explanation) return undefined;
  const startedAt = performance.now();
  return (error) => explanation.add(call, performance.now() - startedAt, error);
};
