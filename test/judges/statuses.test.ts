import { expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { startTestGateway } from '../support/gateway.js';
import { toLedger } from '../support/operations.js';
import { answerBytes } from '../support/faults.js';

const id = '5b1f0c9e-2d64-4c1a-9f1e-7a3b8c2d4e50';

/** Statuses that common proxies also send after they passed the request on. */
const verdictsOfNobody = new Set([408, 460, 499]);

const codes: Readonly<Record<number, string>> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  412: 'CONFLICT',
  413: 'BAD_USER_INPUT',
  422: 'BAD_USER_INPUT',
  429: 'RATE_LIMITED',
};

const upstreamCode = expect.stringMatching(/^UPSTREAM_(?!CONTRACT)/);

/** The statuses from 200 to 599, so ordered that those of one class are far apart: 5xx in a row open the circuit. */
const everyStatus = Array.from({ length: 400 }, (_, n) => 100 * (2 + (n % 4)) + Math.floor(n / 4));
/** The first and last statuses of each class, and those with a meaning of their own. */
const statuses = allDaily(
  everyStatus,
  everyStatus.filter((status) => status % 100 < 32 || [51, 60, 99].includes(status % 100)),
);

/** Returns what may be said of a write that got `status`: never more than was seen, and never less. */
function toTruth(field: string, status: number, showsStudy: boolean): object {
  if (showsStudy && status < 300 && status !== 204) return { data: { [field]: { id } } };
  const isRejected = status >= 400 && status < 500 && !verdictsOfNobody.has(status);
  const outcome = isRejected ? 'REJECTED' : status === 204 ? 'APPLIED' : 'UNKNOWN';
  const code = codes[status] ?? (status < 400 ? 'UPSTREAM_CONTRACT' : upstreamCode);
  const retryable = status === 429;
  return {
    data: { [field]: null },
    errors: [{ path: [field], extensions: { code, outcome, retryable, upstreamStatus: status } }],
  };
}

const fields = [
  ['createStudy', 'input: {}', 'POST /studies'],
  ['editStudy', `id: "${id}", input: {}`, `PATCH /studies/${id}`],
] as const;

it.each(fields.flatMap((row) => [[...row, true] as const, [...row, false] as const]))(
  'the outcome is true for every status: %s(%s), %s, with a study in the answer: %s',
  { timeout: 60_000 },
  async (field, args, request, showsStudy) => {
    const body = showsStudy ? JSON.stringify({ id }) : '{"success":false}';
    const headers = { 'content-type': 'application/json', location: '/studies' };
    const gateway = await startTestGateway({
      // The token is the status.
      api: (response, call, incoming) => {
        const status = Number(call.headers.authorization!.slice('Bearer '.length));
        const hasBody = status !== 204 && status !== 304;
        answerBytes(hasBody ? body : '', headers, status)(response, call, incoming);
      },
    });
    const ask = async (status: number) => {
      const authorization = `Bearer ${status}`;
      const document = `mutation { ${field}(${args}) { id } }`;
      return [status, await gateway.graphql(document, {}, { authorization })] as const;
    };

    const told: (readonly [number, object])[] = [];
    for (let first = 0; first < statuses.length; first += 8)
      told.push(...(await Promise.all(statuses.slice(first, first + 8).map(ask))));

    expect(told).toMatchObject(
      statuses.map((status) => [status, toTruth(field, status, showsStudy)]),
    );
    expect(toLedger(gateway)).toEqual(statuses.map(() => request));
  },
);
