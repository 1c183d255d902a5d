import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allDaily } from '../support/daily.js';
import { main } from '../support/program.js';
import { compare, toMeaning } from './contract-meaning.js';
import { honestForms } from './honest-forms.js';
import {
  findBreaches,
  findMissing,
  runProbe,
  startLiar,
  toFindings,
  type Liar,
  type ProbeOptions,
  type StudyApi,
  type Verdict,
} from './judged-probe.js';
import { few, mustFind, toPairs } from './lies-to-find.js';
import { cannotFind, harmless, missedToday, notes, secrets } from './lies-not-found.js';

const fewForms = new Set(
  'reference envelope says-no-with-200 required literal-document'.split(' '),
);
const forms = allDaily(
  honestForms,
  honestForms.filter(({ form }) => fewForms.has(form)),
);
const rows = allDaily(
  mustFind,
  mustFind.filter(({ lie }) => few.has(lie)),
);

interface Judged {
  readonly api: StudyApi;
  readonly verdict: Verdict;
}

const write: ProbeOptions = { writes: true };
let liar: Liar;
let honest: Verdict;

beforeAll(async () => {
  liar = startLiar();
  honest = (await judge([])).verdict;
});
afterAll(() => liar.end());

async function judge(
  lies: readonly string[],
  options: ProbeOptions = write,
  form = 'reference',
): Promise<Judged> {
  const api = await liar.start(form, lies);
  return { api, verdict: await runProbe(api, options) };
}

/** Runs `task` for each item, two at a time, and returns what the tasks say. */
async function forEach<Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<readonly string[]>,
): Promise<string[]> {
  const said: string[] = [];
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) said.push(...(await task(item)));
  };
  await Promise.all([work(), work()]);
  return said.toSorted();
}

function report(title: string, all: number, missed: readonly string[]): void {
  process.stdout.write(`${title}: ${all - missed.length} of ${all} found\n`);
}

/** Reports, in the daily job, what of the lies that no probe must find is noted or found all the same. */
async function reportOpen(): Promise<void> {
  const noted = await forEach(allDaily(notes, []), async ({ lie, says }) => {
    const { verdict } = await judge([lie]);
    const all = toFindings(verdict, honest, true);
    return all.some((text) => says.every((fact) => fact.test(text))) ? [lie] : [];
  });
  const found = await forEach(allDaily(Object.keys(cannotFind), []), async (lie) => {
    const { verdict } = await judge([lie]);
    return toFindings(verdict, honest).length > 0 ? [lie] : [];
  });
  process.stdout.write(`Noted: ${noted.join(', ')}. Found all the same: ${found.join(', ')}\n`);
}

const minutes = (count: number): number => count * 60_000;

// A probe that only reads is judged by hand: see probe-judge.ts.
const canWrite = /--write/.test(
  String(
    spawnSync(process.execPath, [main, 'probe', '--help'], {
      env: { STUDY_API_URL: 'http://127.0.0.1', STUDY_API_TOKEN: 'none' },
    }).output,
  ),
);

describe('the judge', { tags: ['fastapi'] }, () => {
  it('calls every lie missed when the report is that of an honest API', () => {
    const found = mustFind.filter((row) => findMissing(row, honest, honest).length === 0);

    expect(found).toEqual([]);
  });
});

describe('a probe', { tags: ['fastapi'] }, () => {
  it('sends no write without --write', { timeout: minutes(3) }, async () => {
    const lies = ['redirect-other-host', 'body-html', 'no-studies'];
    const all = [
      ...forms.map(({ form }) => ({ form, lie: '' })),
      ...lies.map((lie) => ({ form: 'reference', lie })),
    ];

    const writes = await forEach(all, async ({ form, lie }) => {
      const { api } = await judge(lie === '' ? [] : [lie], { writes: false }, form);
      const calls = await api.received();
      const elsewhere = await api.receivedElsewhere();
      return [...calls.filter(({ method }) => method !== 'GET'), ...elsewhere].map(
        ({ method, path }) => `${form} ${lie}: ${method} ${path}`,
      );
    });

    expect(writes).toEqual([]);
  });
});

function ifItWrites(define: () => void): void {
  if (canWrite) define();
}

ifItWrites(() => {
  describe('a probe that writes', { tags: ['fastapi'] }, () => {
    it(
      'saves the contract of every honest form, as written by hand',
      { timeout: minutes(5) },
      async () => {
        const wrong = await forEach(forms, async ({ form, contract, or = {} }) => {
          const { api, verdict } = await judge([], write, form);
          const written = toMeaning(contract);
          const found = verdict.meaning ?? {};
          const isLike = (line: string): boolean =>
            (or[line] ?? []).some((one) => JSON.stringify(one) === JSON.stringify(found[line]));
          const lines = compare(written, found).filter((one) => !isLike(one.split(':')[0] ?? ''));
          const exitCode = Object.keys(contract).length === 0 ? 0 : 1;
          return [
            ...lines,
            ...(verdict.exitCode === exitCode ? [] : [`exits with ${verdict.exitCode}`]),
            ...(await findBreaches(api, verdict)),
          ].map((line) => `${form}: ${line}`);
        });

        expect(wrong).toEqual([]);
      },
    );

    it(
      'exits with 0 for the contract that an API keeps, and with 1 for another',
      { timeout: minutes(3) },
      async () => {
        const complete = honestForms.filter(({ form }) => form !== 'literal-document');
        const other = JSON.stringify({ answer: { names: { language: 'dialect' } } });

        const wrong = await forEach(
          allDaily(
            complete,
            complete.filter(({ form }) => ['snake-case', 'says-no-with-200'].includes(form)),
          ),
          async ({ form, contract }) => {
            const check = JSON.stringify(contract);
            const kept = await judge([], { ...write, check }, form);
            const broken = await judge([], { ...write, check: other }, form);
            const codes = [kept.verdict.exitCode, broken.verdict.exitCode];
            return String(codes) === '0,1' ? [] : [`${form}: ${codes.join(' and ')}`];
          },
        );

        expect(wrong).toEqual([]);
      },
    );

    it('finds nothing when it asks an honest API again', async () => {
      const { api, verdict } = await judge([]);

      expect([...toFindings(verdict, honest), ...(await findBreaches(api, verdict))]).toEqual([]);
    });

    it('names every lie that a probe can find', { timeout: minutes(15) }, async () => {
      const missed = await forEach(rows, async (row) => {
        const { api, verdict } = await judge([row.lie]);
        return [...findMissing(row, verdict, honest), ...(await findBreaches(api, verdict))].map(
          (what) => `${row.lie}: ${what}`,
        );
      });
      const lies = new Set(missed.map((what) => what.split(':')[0] ?? ''));
      report('Lies alone', rows.length, [...lies]);
      await reportOpen();

      expect(missed.filter((what) => !missedToday.has(what.split(':')[0] ?? ''))).toEqual([]);
      const found = rows.filter(({ lie }) => missedToday.has(lie) && !lies.has(lie));
      expect(found.map(({ lie }) => lie)).toEqual([]);
    });

    it('names both of two lies', { timeout: minutes(10) }, async () => {
      const all = toPairs(allDaily(30, 4));
      const pairs = all.filter((pair) => !pair.some(({ lie }) => missedToday.has(lie)));

      const missed = await forEach(pairs, async (pair) => {
        const { api, verdict } = await judge(pair.map(({ lie }) => lie));
        const missing = pair.flatMap((row) =>
          findMissing(row, verdict, honest).map((what) => `${row.lie}: ${what}`),
        );
        const breaches = await findBreaches(api, verdict);
        const told = pair.map(({ lie }) => lie).join(' and ');
        return [...missing, ...breaches].map((what) => `${told}: ${what}`);
      });
      report('Pairs of lies', pairs.length, [
        ...new Set(missed.map((what) => what.split(':')[0]!)),
      ]);

      expect(missed).toEqual([]);
    });

    it('raises no alarm about what changes nothing', { timeout: minutes(5) }, async () => {
      const lies = allDaily(harmless, ['beyond-is-404', 'study-added-meanwhile'] as const);

      const alarms = await forEach(lies, async (lie) => {
        const { api, verdict } = await judge([lie]);
        return [
          ...toFindings(verdict, honest),
          ...(verdict.exitCode === 0 ? [] : [`exits with ${verdict.exitCode}`]),
          ...(verdict.durationMs < 40_000 ? [] : ['takes more than 40 s']),
          ...(await findBreaches(api, verdict)),
        ].map((what) => `${lie}: ${what}`);
      });
      process.stdout.write(`False alarms: ${alarms.length}\n`);

      expect(alarms.filter((what) => !missedToday.has(what.split(':')[0] ?? ''))).toEqual([]);
      const quiet = lies.filter(
        (lie) => missedToday.has(lie) && !alarms.some((what) => what.startsWith(`${lie}:`)),
      );
      expect(quiet).toEqual([]);
    });

    it('prints no secret that an API has for a name', { timeout: minutes(3) }, async () => {
      const all = Object.entries(secrets);
      const printed = await forEach(allDaily(all, all.slice(0, 2)), async ([lie, secret]) => {
        const both = [await judge([lie]), await judge([lie], { ...write, json: false })];
        return both
          .filter(({ verdict }) => secret.test(verdict.stdout + verdict.stderr))
          .map(() => lie);
      });

      expect(printed).toEqual([]);
    });

    it('sends no write after a 429', { timeout: minutes(1) }, async () => {
      const once = await judge(['too-many-at-once']);
      const later = await judge(['too-many-after-7']);
      const count = async ({ api }: Judged): Promise<number> =>
        (await api.received()).filter(({ method }) => method !== 'GET').length;

      expect([await count(once), await count(later)]).toEqual([1, 8]);
    });

    it('sends nothing to another host', { timeout: minutes(1) }, async () => {
      const lies = ['redirect-other-host', 'redirect-writes', 'redirect-after-create'];
      const breaches = await forEach(lies, async (lie) => {
        const { api } = await judge([lie]);
        return (await api.receivedElsewhere()).map(({ path }) => `${lie}: ${path}`);
      });

      expect(breaches).toEqual([]);
    });
  });
});
