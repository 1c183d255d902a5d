import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { everyNth } from '../support/daily.js';
import { startProgram, startReadyProgram, takePort, toPreload } from '../support/process.js';

function refusal(problem: string) {
  const stderr = `study-gateway cannot start.\n${problem}\n`;
  return { code: 1, signal: null, stdout: expect.any(String), stderr };
}

it.for<[string, Record<string, string>, string]>([
  [
    'the first bad variable',
    { STUDY_API_URL: 'studies', PORT: '70000', SANDBOX: 'yes', LOG_LEVEL: 'loud' },
    'STUDY_API_URL must be an http or https URL without a user, a query or a fragment.',
  ],
  [
    'HOST',
    // 203.0.113.0/24 is reserved for documentation (RFC 5737), so no machine has an address in it.
    { HOST: '203.0.113.1', EMULATOR_PORT: '4010' },
    'listen EADDRNOTAVAIL: address not available 203.0.113.1:4010',
  ],
  ['EMULATOR_DB', { EMULATOR_DB: '/' }, 'EMULATOR_DB: unable to open database file'],
])('names %s in one line', async ([, env, problem]) => {
  const { exit } = startProgram({ env });

  expect(await exit).toEqual(refusal(problem));
});

it.for(everyNth(2, ['PORT', 'EMULATOR_PORT', 'METRICS_PORT']))(
  'names the address when a program has the port of %s, and does not share it',
  async (name) => {
    const port = String(await takePort());

    // A connection to Redis that stayed open would keep the process alive.
    const env = { [name]: port, REUSE_PORT: 'true', REDIS_URL: 'redis://127.0.0.1:1' };
    const { exit } = startProgram({ env });

    expect(await exit).toEqual(
      refusal(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`),
    );
  },
);

it('listens only on the first address of a host name', async () => {
  // Simulates a machine where `localhost` has two addresses, which is common.
  const twoAddresses = `import dns from 'node:dns';
    const { lookup } = dns;
    const both = [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }];
    dns.lookup = (host, options, done) =>
      host === 'localhost' && options.all ? done(null, both) : lookup(host, options, done);`;
  const { url } = await startReadyProgram({
    env: { HOST: 'localhost' },
    nodeArgs: toPreload(twoAddresses),
  });

  const { hostname, port } = new URL(url);
  expect(hostname).toBe('127.0.0.1');
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  await expect(fetch(`http://127.0.0.2:${port}/health/live`)).rejects.toThrow('fetch failed');
});

it('logs why it could not start, even if the log is never flushed by its timer', async () => {
  // Disables the log's flush timer, so that the exit itself must flush the log.
  const noListening = `import { Server } from 'node:net';
    globalThis.setInterval = () => ({ unref() {} });
    Server.prototype.listen = () => { throw new Error('no listening today'); };`;
  const { exit } = startProgram({
    env: { NODE_ENV: 'production', STUDY_API_URL: 'http://127.0.0.1:9' },
    nodeArgs: toPreload(noListening),
  });

  const { code, stdout } = await exit;
  expect(code).toBe(1);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: 'no listening today' } });
});

it.for(everyNth(2, ['SIGTERM', 'SIGINT']))(
  'stops gracefully when %s comes while it starts',
  async (signal) => {
    // The signal comes when the first server starts to listen, which is the emulator.
    const code = `import { subscribe } from 'node:diagnostics_channel';
    subscribe('tracing:net.server.listen:asyncStart', () => process.kill(process.pid, '${signal}'))`;
    const { exit } = startProgram({ nodeArgs: toPreload(code) });

    expect(await exit).toMatchObject({
      code: 0,
      signal: null,
      stdout: expect.stringContaining('"msg":"stopping"'),
      stderr: '',
    });
  },
);

it('says which Node it needs if it is older than `engines` of package.json', async () => {
  const oldest = manifest.engines.node.replace('>=', '');
  const code = `const versions = { ...process.versions, node: '9.99.99' };
    Object.defineProperty(process, 'versions', { value: versions });`;

  const { exit } = startProgram({ env: { PORT: 'none' }, nodeArgs: toPreload(code) });

  const advice = 'In the repository, npm start uses the Node that npm ci has installed.';
  expect(await exit).toEqual(
    refusal(`It needs Node ${oldest} or later, and this is 9.99.99. ${advice}`),
  );
});
