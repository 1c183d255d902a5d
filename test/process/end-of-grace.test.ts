import { parse } from 'graphql';
import { expect, it, vi } from 'vitest';
import { startHoldingApi } from '../support/held-calls.js';
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
