import { expect, it, vi } from 'vitest';
import { allDaily } from '../support/daily.js';
import { answerStudy, startLedger, type Arrival } from '../support/ledger.js';
import { findFreePort, startReadyProgram } from '../support/process.js';
import { write, type Fate } from '../soak/client.js';
import { createFaultMix, type Behavior } from '../soak/faults.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';

vi.setConfig({ testTimeout: 60_000 });

const RESTARTS = allDaily(3, 2);
const CLIENTS = 50;
/** Number of writes that end before the next SIGTERM. */
const WRITES_PER_RUN = 400;

it('loses no write and reports no untrue outcome when it is restarted under load', async () => {
  const mix = createFaultMix({ hangs: false });
  const held = new Map<string, (write: Arrival) => void>();
  const behave: Behavior = (write) => (held.get(write.description) ?? mix)(write);
  const studyApi = await startLedger({ onBody: behave });
  const port = await findFreePort();
  const env = { PORT: String(port), STUDY_API_URL: studyApi.url };
  const url = `http://127.0.0.1:${port}`;

  let ready = Promise.withResolvers<unknown>();
  const load = startLoad({ url, clients: CLIENTS, waitForServer: () => ready.promise });
  const heldFates = new Map<string, Fate>();
  let inFlight = 0;

  for (let run = 0; run < RESTARTS; run++) {
    const program = await startReadyProgram({ env });
    const enough = load.fates.size + WRITES_PER_RUN;
    ready.resolve(undefined);
    await expect
      .poll(() => load.fates.size, { interval: 5, timeout: 40_000 })
      .toBeGreaterThan(enough);

    const arrival = Promise.withResolvers<Arrival>();
    const description = `held-${run}`;
    held.set(description, arrival.resolve);
    const fate = write({ url, agent: false }, description);
    const heldWrite = await arrival.promise;
    ready = Promise.withResolvers();
    for (const each of studyApi.received) if (!load.fates.has(each)) inFlight++;
    program.kill('SIGTERM');
    await program.printed(/"stopping"/);
    answerStudy(heldWrite);
    expect(await program.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
    heldFates.set(description, await fate);
  }
  const stopping = load.stop();
  ready.resolve(undefined);
  await stopping;

  const fates = new Map([...load.fates, ...heldFates]);
  const counts = countFates(fates);
  expect(findContradictions(fates, studyApi.stored)).toEqual([]);
  expect([...heldFates.values()]).toEqual(Array(RESTARTS).fill('SUCCESS'));
  // A connection may break only before the gateway has begun to serve its request.
  const broken = [...fates].filter(([, fate]) => fate === 'BROKEN').map(([each]) => each);
  expect(broken.filter((each) => studyApi.received.has(each))).toEqual([]);
  // Proves that the restarts happened under load.
  expect(inFlight).toBeGreaterThan(RESTARTS);
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['SUCCESS', 'REJECTED', 'APPLIED', 'UNKNOWN', 'REFUSED']),
  );
});
