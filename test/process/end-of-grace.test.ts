import { parse } from 'graphql';
import { expect, it, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
import { startIssuer } from '../support/issuer.js';
import { toPostInit } from '../support/post.js';
import { runOperation, startReadyProgram, type Program } from '../support/process.js';
import { wholeStudy } from '../support/studies.js';

vi.setConfig({ testTimeout: 20_000 });

const twoCreates = parse(
  'mutation { one: createStudy(input: {}) { id } two: createStudy(input: {}) { id } }',
);

async function expectCut({ exit }: Program): Promise<void> {
  expect(await exit).toMatchObject({
    code: 1,
    signal: null,
    stdout: expect.stringContaining('requests cut at the end of SHUTDOWN_GRACE_MS: 1'),
    stderr: '',
  });
}

function toError(name: string, outcome: string, message: string, retryable = false): object {
  return {
    message,
    locations: expect.any(Array),
    path: [name],
    extensions: {
      code: 'UPSTREAM_UNAVAILABLE',
      outcome,
      retryable,
      requestId: expect.any(String),
    },
  };
}

const lost =
  'The connection to the Study API ended before it answered. Whether the change was made is not known: check before repeating it.';
const unsent = 'The Study API cannot be reached. Nothing was sent.';

it.each([
  {
    field: 'first',
    answered: 0,
    data: { one: null, two: null },
    errors: [toError('one', 'UNKNOWN', lost), toError('two', 'NOT_SENT', unsent)],
  },
  {
    field: 'second',
    answered: 1,
    data: { one: { id: wholeStudy.id }, two: null },
    errors: [toError('two', 'UNKNOWN', lost)],
  },
])(
  'tells what became of every write when the grace ends in the $field field of a mutation',
  async ({ answered, data, errors }) => {
    const api = await startHoldingApi();
    const env = { STUDY_API_URL: api.url, SHUTDOWN_GRACE_MS: '100' };
    const program = await startReadyProgram({ env });
    const answer = runOperation(program.url, twoCreates, {});
    for (let left = answered; left > 0; left -= 1) {
      await api.holds(1);
      api.answerNext();
    }
    await api.holds(1);

    program.kill('SIGTERM');

    expect(await answer).toEqual({ data, errors });
    await expectCut(program);
    expect(api.arrived).toHaveLength(answered + 1);
  },
);

it('answers UNKNOWN to a mutation that has not reached the Study API when the grace ends', async () => {
  const api = await startHoldingApi();
  const issuer = await startIssuer();
  const asked = Promise.withResolvers<void>();
  issuer.answerWith(() => asked.resolve());
  const program = await startReadyProgram({
    env: {
      STUDY_API_URL: api.url,
      STUDY_API_TOKEN: 'service-token',
      AUTH_MODE: 'service',
      JWT_JWKS_URL: String(issuer.options.jwtJwksUrl),
      JWT_ISSUER: issuer.options.jwtIssuer ?? '',
      JWT_AUDIENCE: issuer.options.jwtAudience ?? '',
      SHUTDOWN_GRACE_MS: '100',
    },
  });
  const query = 'mutation { createStudy(input: {}) { id } }';
  const authorization = `Bearer ${await issuer.sign()}`;
  const answer = fetch(`${program.url}/graphql`, toPostInit({ query }, { authorization }));
  await asked.promise;

  program.kill('SIGTERM');

  const response = await answer;
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({
    errors: [
      {
        message: 'Internal server error',
        extensions: { code: 'INTERNAL_SERVER_ERROR', outcome: 'UNKNOWN', retryable: false },
      },
    ],
  });
  await expectCut(program);
  expect(api.arrived).toEqual([]);
});
