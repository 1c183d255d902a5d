import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from 'study-gateway-emulator';
import { bearer, startTestEmulator } from '../support/emulator.js';

const memory = { host: '127.0.0.1', port: 0, database: ':memory:' };

it('returns its URL and a valid token', async () => {
  const { url, token } = await startTestEmulator();

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  expect(token).toBe('demo-token');
});

it('puts an IPv6 host in brackets', async () => {
  const { url, call } = await startTestEmulator({ host: '::1' });

  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await call('POST', '/studies', {})).toMatchObject({ status: 200 });
});

it('accepts only the configured tokens', async () => {
  const { call, token } = await startTestEmulator({ tokens: ['ada', 'demo-500'] });

  expect(token).toBe('ada');
  expect(await call('POST', '/studies', {})).toMatchObject({ status: 200 });
  expect(await call('POST', '/studies', {}, bearer('demo-token'))).toMatchObject({ status: 401 });
  expect(await call('POST', '/studies', {}, bearer('demo-500'))).toMatchObject({ status: 200 });
});

it("rejects with Node's error when the port is taken, and closes the database", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'study-emulator-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const database = join(directory, 'studies.db');
  const taken = await startTestEmulator();
  const port = Number(new URL(taken.url).port);

  await expect(startEmulator({ ...memory, database, port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
    port,
  });

  // Proves that the database is closed: an open one has -wal and -shm files next to it.
  expect(readdirSync(directory)).toEqual(['studies.db']);
});

it('rejects when the file is not a database', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'study-emulator-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const database = join(directory, 'studies.db');
  writeFileSync(database, 'a text that is long enough to be no SQLite header'.repeat(20));

  await expect(startEmulator({ ...memory, database })).rejects.toThrow('file is not a database');
});

it('closes kept-alive connections, frees its port, and may be closed again', async () => {
  const { url, token, close } = await startTestEmulator();
  const agent = new Agent({ keepAliveTimeout: 600_000 });
  onTestFinished(() => agent.destroy());
  const closed = new Promise((resolve) => agent.once('disconnect', resolve));
  const response = await request(`${url}/studies`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: '{}',
    dispatcher: agent,
  });
  await response.body.json();

  await close();
  await close();
  await closed;

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), resolve));
  expect(server.listening).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

it('answers 500 and logs why when the database fails', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'study-emulator-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const database = join(directory, 'studies.db');
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
