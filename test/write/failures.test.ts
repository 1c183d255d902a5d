import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  failures,
  toStatusFailure,
  toText,
  type Failure,
  type FailureCode,
  type FailureName,
} from 'rest-outcome';
import { failureMessages } from '../../src/errors/failure-messages.js';
import { misbehaving, provocations } from '../support/failures.js';
import { newKey, toRunKeyed, createStudy as write } from '../support/keyed.js';
import { createStudy, run, study } from '../support/operations.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

vi.setConfig({ testTimeout: 20_000 });

const table: Readonly<Record<FailureName, Failure>> = failures;

/** Codes of mistakes of the client. */
const ofClients = new Set([
  'BAD_USER_INPUT',
  'CONFLICT',
  'FORBIDDEN',
  'NOT_FOUND',
  'UNAUTHENTICATED',
]);

/** Matches a number. */
const number = String.raw`\d+`;

interface ToldErrors {
  readonly errors: readonly { readonly message: string; readonly extensions: object }[];
}

/** Returns the outcome of a failure here. Where the answer decides, only the answer of `unreadableAnswer` shows an id. */
function toOutcome(name: FailureName): string {
  const { outcome } = table[name];
  if (outcome !== 'as-done') return outcome;
  return name === 'unreadableAnswer' ? 'APPLIED' : 'UNKNOWN';
}

/** Returns the error that a row of the table requires for a read or for a write. */
function toExpected(name: FailureName, isRead: boolean) {
  const { code, reason, outcome, retryable } = table[name];
  const isTold = !isRead || outcome === 'NOT_SENT';
  const told = toOutcome(name);
  return {
    message: expect.stringMatching(
      toText(failureMessages[name], { status: number, deadlineMs: number, noun: 'study' }),
    ),
    extensions: expect.objectContaining({
      code,
      ...(reason && { reason }),
      ...(isTold && { outcome: told }),
      retryable: retryable === 'always' || (retryable === 'reads' && isRead),
    }),
  };
}

/** Returns level, message and outcome of the log line of the last failed call. */
function toLogged({ log }: TestGateway): object {
  const line = log.findLast(({ error }) => error !== undefined);
  return { level: line?.['level'], msg: line?.['msg'], outcome: line?.['outcome'] };
}

function toExpectedLog(name: FailureName): object {
  return {
    level: ofClients.has(table[name].code) ? 30 : 40,
    msg: 'a call to the Study API failed',
    outcome: toOutcome(name),
  };
}

describe.each(Object.keys(misbehaving) as (keyof typeof misbehaving)[])('%s', (name) => {
  const failure = table[name];

  it('is reported, logged and retried as its row says, and holds a key as its outcome says', async () => {
    const gateway = await startTestGateway(misbehaving[name]);

    const { errors } = (await run(gateway, createStudy)).body as ToldErrors;
    const logged = toLogged(gateway);
    const reading = (await run(gateway, study)).body as ToldErrors;

    const reads = gateway.calls.filter(({ method }) => method === 'GET').length;
    const runKeyed = toRunKeyed(gateway);
    const key = newKey();
    await runKeyed(write, key);
    await runKeyed(write, key);
    const writes = gateway.calls.filter(({ method }) => method !== 'GET').length - 1;

    expect(errors).toEqual([expect.objectContaining(toExpected(name, false))]);
    expect(reading.errors).toEqual([expect.objectContaining(toExpected(name, true))]);
    expect(logged).toEqual(toExpectedLog(name));
    expect({ reads, writes }).toEqual({
      reads: failure.repeated === 'never' ? 1 : 3,
      writes: failure.outcome === 'REJECTED' ? 2 : 1,
    });
  });

  it('counts for the circuit as its row says', async () => {
    const gateway = await startTestGateway(misbehaving[name]);

    await Promise.all(Array.from({ length: 20 }, () => run(gateway, createStudy)));

    expect(gateway.log.flatMap(({ circuit }) => circuit ?? [])).toEqual(
      failure.opensCircuit ? ['open'] : [],
    );
  });
});

it.each(Object.keys(provocations) as (keyof typeof provocations)[])(
  '%s is reported and logged as its row says',
  async (name) => {
    const { gateway, body } = await provocations[name]();

    const { errors } = body as ToldErrors;
    expect(errors).toEqual([expect.objectContaining(toExpected(name, false))]);
    expect(toLogged(gateway)).toEqual(toExpectedLog(name));
  },
);

describe('the error codes', () => {
  it('are exactly those of the table', () => {
    expectTypeOf<(typeof failures)[FailureName]['code']>().toEqualTypeOf<FailureCode>();
  });
});

describe('the table of errors in the documents', () => {
  const rows = readErrorsTable();

  it('has a row for every failure', () => {
    const expected = Object.values(table).map(({ code, outcome, retryable }) => [
      `\`${code}\``,
      outcome === 'as-done' ? '`UNKNOWN`²' : `\`${outcome}\``,
      { always: 'yes', reads: 'reads only', never: 'no' }[retryable],
    ]);

    expect(rows.map(([, ...cells]) => cells)).toEqual(expect.arrayContaining(expected));
  });

  it('has every status in the row of its failure', () => {
    const listed = rows.flatMap(([when = '', code]) =>
      (/^\d{3}(, \d{3})*/.exec(when)?.[0].split(', ') ?? []).map((status) => ({ status, code })),
    );

    expect(listed).not.toEqual([]);
    for (const { status, code } of listed)
      expect({ status, code: `\`${table[toStatusFailure(Number(status))].code}\`` }).toEqual({
        status,
        code,
      });
  });
});

/** Returns the cells of the table of errors, wherever in README.md or docs/ the table is. */
function readErrorsTable(): string[][] {
  const root = new URL('../../', import.meta.url);
  const documents = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'));
  const header = /^\| What happened +\| `code` +\| `outcome` +\| `retryable` +\|\n/m;
  const texts = ['README.md', ...documents.map((name) => `docs/${name}`)]
    .map((path) => readFileSync(new URL(path, root), 'utf8'))
    .flatMap((text) => text.split(header).slice(1));
  expect(texts).toHaveLength(1);
  const [body = ''] = texts[0]!.split('\n\n');
  return body.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
