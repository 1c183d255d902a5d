import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  operationParts,
  toOperation,
  type Fate,
  type RandomOperation,
} from './random-writes.fixture.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import type { ReceivedCall } from '../support/study-api.js';

// Sends random valid mutations to a Study API that stores, refuses, breaks or cuts, and compares each response with the
// stored studies. A failure prints its seed: `WRITES_SEED=…` runs the same cases again, `WRITES_RUNS=…` sets the number.

const { WRITES_RUNS, WRITES_SEED } = process.env;
const numRuns = Number(WRITES_RUNS ?? 500);
const seed = Number(WRITES_SEED ?? 20_260_801);

interface Answer {
  readonly data?: Readonly<Record<string, { readonly id?: unknown } | null>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

/** How often a write may have been stored, by the outcome that the client was told. */
const truths: Readonly<Record<string, readonly number[]>> = {
  NOT_SENT: [0],
  REJECTED: [0],
  APPLIED: [1],
  UNKNOWN: [0, 1],
};

/** Codes that no response may have: defects of the gateway, and refusals of a valid document. */
const neverTold = new Set<unknown>(['INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED']);

/** A Study API that treats each write as the write's description says, and records all stored studies. */
class Ledger {
  readonly arrivals = new Map<string, number>();
  /** Ids of the stored studies, by description. */
  readonly stored = new Map<string, string[]>();

  readonly respond = (
    response: ServerResponse,
    { method, url, body }: ReceivedCall,
    request: IncomingMessage,
  ): void => {
    const { description } = JSON.parse(body) as { description: string };
    this.arrivals.set(description, (this.arrivals.get(description) ?? 0) + 1);
    const fate = description.split(': ')[1] as Fate;
    const id = method === 'POST' ? randomUUID() : url.slice('/studies/'.length);
    if (fate.startsWith('store'))
      this.stored.set(description, [...(this.stored.get(description) ?? []), id]);

    const study = { ...wholeStudy, id, description };
    const answer = (status: number, value: unknown, type = 'application/json'): void => {
      response.writeHead(status, { 'content-type': type, location: '/elsewhere' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    switch (fate) {
      case 'store':
        return answer(201, study);
      case 'store, answer broken fields':
        return answer(200, { ...study, status: 1, files: 'no list', progress: { total: 'many' } });
      case 'store, answer without an id':
        return answer(200, { ...study, id: undefined });
      case 'store, then 500':
        return answer(500, {});
      case 'store, answer a page':
        return answer(200, '<p>Welcome</p>', 'text/html');
      case 'store, answer a list':
        return answer(200, [study]);
      case '422':
      case '401':
      case '303':
        return answer(Number(fate), { detail: 'no' });
      default:
        return void request.socket.destroy();
    }
  };
}

async function ask(
  gateway: TestGateway,
  { query, variables }: RandomOperation,
  hasToken: boolean,
): Promise<Answer> {
  return (await gateway.graphql(
    query,
    { ...variables },
    hasToken ? {} : { authorization: '' },
  )) as never;
}

/** Returns a line for each statement of a response that the ledger contradicts, and for each missing statement. */
function findLies(
  { writes }: RandomOperation,
  { data, errors = [] }: Answer,
  ledger: Ledger,
): string[] {
  const lies: string[] = [];
  const check = (isTrue: boolean, lie: string): void => void (isTrue || lies.push(lie));
  for (const { extensions } of errors)
    check(!neverTold.has(extensions['code']), `tells ${String(extensions['code'])}`);

  for (const { key, description, isRun } of writes) {
    const [id, ...more] = ledger.stored.get(description) ?? [];
    const stored = id === undefined ? 0 : 1 + more.length;
    check((ledger.arrivals.get(description) ?? 0) <= 1, `${key} was sent twice`);

    const own = errors.filter(({ path }) => path?.[0] === key);
    const whole = errors.filter(({ path }) => path === undefined);
    for (const { extensions } of [...own, ...whole]) {
      const outcome = String(extensions['outcome']);
      check(
        Boolean(truths[outcome]?.includes(stored)),
        `tells ${outcome} of ${key}, stored ${stored}`,
      );
    }
    if (whole.length > 0) {
      check(!data, 'tells an error of the whole operation beside data');
      continue;
    }
    const study = data?.[key];
    check(
      (study !== undefined) === isRun,
      `${key} is run where a directive leaves it out, or not run`,
    );
    if (study === undefined) check(stored === 0, `leaves out ${key}, stored ${stored}`);
    if (study === null) check(own.length > 0, `tells null of ${key} without an error`);
    if (study) check(stored === 1, `tells a study of ${key}, stored ${stored}`);
    if (study?.id !== undefined) check(study.id === id, `tells the id of another study of ${key}`);
  }
  return lies;
}

it(
  `reports for every write what the Study API stored, in ${numRuns} random operations`,
  { timeout: 60_000 + numRuns * 60 },
  async () => {
    const ledger = new Ledger();
    const gateway = await startTestGateway({
      api: ledger.respond,
      // 1 ms, because an open circuit would refuse the calls that the test compares.
      circuitOpenMs: 1,
    });
    let refused = 0;
    let run = 0;

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 9 }), operationParts, async (dice, parts) => {
        const operation = toOperation(parts, wholeStudy.id, `case ${run++}`);
        const answer = await ask(gateway, operation, dice > 0);
        expect(findLies(operation, answer, ledger)).toEqual([]);

        if (operation.hasNullCondition) refused += 1;
        const told = answer.errors?.map(({ extensions: { code, outcome } }) => [code, outcome]);
        // Without a token the whole request is refused, before any value is judged.
        const code = dice > 0 ? 'BAD_USER_INPUT' : 'UNAUTHENTICATED';
        const isRefused = isDeepStrictEqual(told, [[code, 'NOT_SENT']]);
        const hasArrived = operation.writes.some(({ description }) =>
          ledger.arrivals.has(description),
        );
        // A condition that is null is an error of the client, so nothing may be sent.
        expect(!operation.hasNullCondition || (isRefused && !hasArrived)).toBe(true);
      }),
      { numRuns, seed },
    );

    expect(run).toBeGreaterThanOrEqual(numRuns);
    // Proves that enough operations were refused, and enough studies stored.
    expect(refused).toBeGreaterThan(numRuns / 50);
    expect(ledger.stored.size).toBeGreaterThan(numRuns / 4);
  },
);
