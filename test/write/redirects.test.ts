import { describe, expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import {
  operations,
  run,
  toFailedResponse,
  toLedger,
  toStatusFailure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson, startStudyApi } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

type ToLocation = (host: string) => string;

/** Ways to say where to go, to the same origin and to others. */
const locations: readonly (readonly [string, ToLocation])[] = [
  ['a URL on another port', (host) => `http://${host}/studies`],
  ['a URL with another name for this host', (host) => `http://${toLocalhost(host)}/studies`],
  ['a URL without a protocol', (host) => `//${host}/studies`],
  ['a URL with backslashes', (host) => `\\\\${host}\\studies`],
  ['a URL with a user', (host) => `http://user:password@${host}/studies`],
  ['another protocol', (host) => `https://${host}/studies`],
  ['a path', () => '/elsewhere'],
  ['a relative path', () => '../elsewhere'],
  ['a query', () => '?elsewhere'],
  ['nothing', () => ''],
];

/** Every location with a status that keeps method and body, and every other status with one location. */
const redirects: readonly (readonly [number, string, ToLocation])[] = [
  ...locations.map(([what, toLocation]) => [307, what, toLocation] as const),
  ...[301, 302, 303, 308].map((status) => [status, 'a path', () => '/elsewhere'] as const),
];

function toLocalhost(host: string): string {
  return host.replace('127.0.0.1', 'localhost');
}

describe.each(operations)('$field', (operation) => {
  it.each(redirects)('answered with %i does not go to %s', async (status, _, toLocation) => {
    const target = await startStudyApi(answerJson(wholeStudy));
    const location = toLocation(new URL(target.url).host);
    const gateway = await startTestGateway({ api: answerBytes('', { location }, status) });

    const answer = await run(gateway, operation);

    const failure = toStatusFailure(status, 'UPSTREAM_CONTRACT', 'UNKNOWN');
    expect(answer.body).toEqual(toFailedResponse(operation, answer, failure));
    expect(toLedger(gateway)).toEqual([operation.request]);
    expect(target.calls).toEqual([]);
  });

  it('does not go where a 2xx points to', async () => {
    const target = await startStudyApi(answerJson(wholeStudy));
    const headers = {
      'content-type': 'application/json',
      location: `${target.url}/studies`,
      'content-location': `${target.url}/studies`,
      refresh: `0; url=${target.url}/studies`,
      'alt-svc': `http/1.1="${new URL(target.url).host}"`,
    };
    const gateway = await startTestGateway({ api: answerJson(wholeStudy, 201, headers) });

    const answers = [await run(gateway, operation), await run(gateway, operation)];

    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ data: { [operation.field]: wholeStudy } })),
    );
    expect(toLedger(gateway)).toEqual([operation.request, operation.request]);
    expect(target.calls).toEqual([]);
  });
});
