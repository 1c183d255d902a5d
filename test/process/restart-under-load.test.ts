import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findFreePort, startReadyProgram } from '../support/process.js';
import { write, type Fate } from '../soak/client.js';
import { answer, createFaultMix } from '../soak/faults.js';
import { startLoad } from '../soak/load.js';
import { countFates, findContradictions } from '../soak/reconcile.js';
import { startStudyLedger, type Behavior, type Write } from '../soak/study-ledger.js';

vi.setConfig({ testTimeout: 60_000 });

const RESTARTS = 3;
const CLIENTS = 50;
/** Number of writes that end before the next SIGTERM. */
const WRITES_PER_RUN = 600;

/** Counts events, and lets a test wait for a number of events. */
class Milestone {
  #left = 0;
  #reach: (() => void) | undefined;

  count(): void {
    this.#left--;
    if (this.#left === 0) this.#reach?.();
  }

  /** Resolves after `times` more events. */
  waitFor(times: number): Promise<void> {
    this.#left = times;
    return new Promise((resolve) => (this.#reach = resolve));
  }
}

/** Opens a kept-alive connection on which the next request has begun: its headers have been sent in part. */
async function openConnection(url: string): Promise<Socket> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  const head = 'GET /health/ready HTTP/1.1\r\nhost: localhost\r\n';
  socket.write(`${head}\r\n`);
  await once(socket, 'data');
  // One write has a whole request and part of the next: the answer proves that the gateway has read both.
  socket.write(`${head}\r\n${head}`);
  await once(socket, 'data');
  return socket;
}

/** Returns the text received until the connection closes, also after an error. */
function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part: string) => (text += part));
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
}

/** Returns 'connected', or the error code of a failed connection. */
async function tryToConnect(url: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return 'connected';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

it('loses no write and reports no untrue outcome when it is restarted under load', async () => {
  const mix = createFaultMix({ hangs: false });
  const held = new Map<string, (write: Write) => void>();
  const behave: Behavior = (write) => (held.get(write.description) ?? mix)(write);
  const studyApi = await startStudyLedger(behave);
  onTestFinished(() => studyApi.close());
  const port = await findFreePort();
  const env = { PORT: String(port), STUDY_API_URL: studyApi.url };
  const url = `http://127.0.0.1:${port}`;

  let ready = Promise.withResolvers<unknown>();
  const ended = new Milestone();
  const load = startLoad({
    url,
    clients: CLIENTS,
    waitForServer: () => ready.promise,
    onFate: () => ended.count(),
  });
  const heldFates = new Map<string, Fate>();
  let inFlight = 0;

  for (let run = 0; run < RESTARTS; run++) {
    const program = await startReadyProgram({ env });
    const enough = ended.waitFor(WRITES_PER_RUN);
    ready.resolve(undefined);
    await enough;

    const arrival = Promise.withResolvers<Write>();
    const description = `held-${run}`;
    held.set(description, arrival.resolve);
    const fate = write({ url, agent: false }, description);
    const heldWrite = await arrival.promise;
    const connection = await openConnection(url);
    const health = readToEnd(connection);
    ready = Promise.withResolvers();
    for (const each of studyApi.arrived) if (!load.fates.has(each)) inFlight++;
    program.kill('SIGTERM');
    await program.printed(/"stopping"/);

    await expect.poll(() => tryToConnect(url), { interval: 5 }).toBe('ECONNREFUSED');
    connection.write('\r\n');
    expect(await health).toMatch(
      /^HTTP\/1\.1 503 [^]*\r\nconnection: close\r\n[^]*"status":"shutting down"/,
    );
    expect(await tryToConnect(url)).toBe('ECONNREFUSED');
    answer(heldWrite);
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
  expect(broken.filter((each) => studyApi.arrived.has(each))).toEqual([]);
  // Proves that the restarts happened under load.
  expect(inFlight).toBeGreaterThan(RESTARTS);
  expect(counts.SUCCESS).toBeGreaterThan((RESTARTS * WRITES_PER_RUN) / 2);
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['REJECTED', 'APPLIED', 'UNKNOWN', 'REFUSED']),
  );
});
