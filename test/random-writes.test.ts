import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  operationParts,
  toOperation,
  type Fate,
  type RandomOperation,
} from './random-writes.fixture.js';
import { startTestGateway, type TestGateway } from './support/gateway.js';
import { wholeStudy } from './support/studies.js';
import type { ReceivedCall } from './support/study-api.js';

// Random valid mutations against a Study API that stores, refuses, breaks and cuts. What each answer tells is compared
// with what was stored. A failure prints its seed and path: `WRITES_SEED=…` runs the same cases, `WRITES_RUNS=…` any number.

const { WRITES_RUNS, WRITES_SEED } = process.env;
const numRuns = Number(WRITES_RUNS ?? 2_000);
const seed = Number(WRITES_SEED ?? 20_260_801);

interface Answer {
  readonly data?: Readonly<Record<string, { readonly id?: unknown } | null>> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
}

/** How often a write may be stored of which a client is told so. */
const truths: Readonly<Record<string, readonly number[]>> = {
  NOT_SENT: [0],
  REJECTED: [0],
  APPLIED: [1],
  UNKNOWN: [0, 1],
};

/** A Study API that does with each write what its description says, and keeps what it stores. */
class Ledger {
  readonly arrivals = new Map<string, number>();
  /** The ids of the stored studies, by their descriptions. */
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

  count(description: string): number {
    return this.stored.get(description)?.length ?? 0;
  }
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

/** What an answer tells of the write of a field. Fails on an answer that tells nothing of a field that is run. */
function reconcile(operation: RandomOperation, answer: Answer, ledger: Ledger): void {
  const { data, errors = [] } = answer;
  const shown = JSON.stringify(answer);
  for (const { extensions } of errors)
    expect(['INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED'], shown).not.toContain(
      extensions['code'],
    );

  for (const { key, description, isRun } of operation.writes) {
    const stored = ledger.count(description);
    expect(ledger.arrivals.get(description) ?? 0, shown).toBeLessThanOrEqual(1);

    const own = errors.filter(({ path }) => path?.[0] === key);
    const whole = errors.filter(({ path }) => path === undefined);
    for (const { extensions } of [...own, ...whole])
      expect(truths[String(extensions['outcome'])], shown).toContain(stored);

    if (whole.length > 0) {
      expect(data ?? undefined, shown).toBeUndefined();
      continue;
    }
    const study = data?.[key];
    expect(study !== undefined, shown).toBe(isRun);
    if (study === undefined) expect(stored, shown).toBe(0);
    if (study === null) expect(own, shown).not.toEqual([]);
    if (study) {
      expect(stored, shown).toBe(1);
      if (study.id !== undefined) expect(study.id, shown).toBe(ledger.stored.get(description)?.[0]);
    }
  }
}

it(
  `tells of every write what the Study API stored, in ${numRuns} random operations`,
  { timeout: 60_000 + numRuns * 60 },
  async () => {
    const ledger = new Ledger();
    const gateway = await startTestGateway({
      api: ledger.respond,
      // A circuit that stays open would leave nothing to be compared.
      studyApiCircuitOpenMs: 1,
      maxDirectives: 1_000,
    });
    let refused = 0;
    let run = 0;

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 9 }), operationParts, async (dice, parts) => {
        const operation = toOperation(parts, wholeStudy.id, `case ${run++}`);
        const answer = await ask(gateway, operation, dice > 0);
        reconcile(operation, answer, ledger);
        if (!operation.hasNullCondition) return;

        refused += 1;
        const arrived = operation.writes.filter(({ description }) =>
          ledger.arrivals.has(description),
        );
        expect(arrived).toEqual([]);
        expect(answer.errors?.map(({ extensions }) => extensions)).toEqual([
          expect.objectContaining({ code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' }),
        ]);
      }),
      { numRuns, seed },
    );

    expect(run).toBeGreaterThanOrEqual(numRuns);
    // Enough of each kind was among them.
    expect(refused).toBeGreaterThan(numRuns / 50);
    expect(ledger.stored.size).toBeGreaterThan(numRuns / 4);
  },
);
