import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from 'study-gateway-emulator';
import { bearer, startTestEmulator } from '../support/emulator.js';
import { createDirectory } from '../support/process.js';

it('accepts only the configured tokens', async () => {
  const { call, token } = await startTestEmulator({ tokens: ['ada', 'demo-500'] });

  expect(token).toBe('ada');
  expect(await call('POST', '/studies', {})).toMatchObject({ status: 200 });
  expect(await call('POST', '/studies', {}, bearer('demo-token'))).toMatchObject({ status: 401 });
  expect(await call('POST', '/studies', {}, bearer('demo-500'))).toMatchObject({ status: 200 });
});

it("rejects with Node's error when the port is taken, and closes the database", async () => {
  const directory = createDirectory();
  const taken = await startTestEmulator();
  const port = Number(new URL(taken.url).port);
  const options = { host: '127.0.0.1', port, database: join(directory, 'studies.db') };

  await expect(startEmulator(options)).rejects.toMatchObject({ code: 'EADDRINUSE', port });

  // Proves that the database is closed: an open one has -wal and -shm files next to it.
  expect(readdirSync(directory)).toEqual(['studies.db']);
});

it('closes kept-alive connections, and may be closed again', async () => {
  const { url, token, close } = await startTestEmulator();
  const dispatcher = new Agent({ keepAliveTimeout: 600_000 });
  onTestFinished(() => dispatcher.destroy());
  const closed = new Promise((resolve) => dispatcher.once('disconnect', resolve));
  const { body } = await request(`${url}/studies`, { headers: bearer(token), dispatcher });
  await body.json();

  await close();
  await closed;

  await expect(close()).resolves.toBe(undefined);
});

it('answers 500 and logs why when the database fails', async () => {
  const database = join(createDirectory(), 'studies.db');
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const { call } = await startTestEmulator({ database, logger: pino({ level: 'error' }, stream) });
  const db = new DatabaseSync(database);
  db.exec('DROP TABLE studies');
  db.close();

  const answer = await call('POST', '/studies', {});

  expect(answer).toEqual({ status: 500, body: { detail: 'Internal Server Error' } });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 50, msg: 'no such table: studies' }),
  ]);
});
