import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startProgram } from '../support/process.js';

vi.setConfig({ testTimeout: 20_000 });

type Line = Readonly<Record<string, unknown>>;

/** Starts and stops the program, and returns its log and its whole output. */
async function start(env: Record<string, string>): Promise<{ lines: Line[]; output: string }> {
  const program = startProgram({ env: { METRICS_PORT: '0', ...env } });
  await program.printed(/"msg":"metrics are served"/);
  program.kill('SIGTERM');
  const { stdout, stderr } = await program.exit;
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return { lines: lines.map((line) => JSON.parse(line) as Line), output: stdout + stderr };
}

/** The warnings but that of keys in memory, which every production without Redis has. */
const warnings = (lines: readonly Line[]): Line[] =>
  lines.filter(
    ({ level, msg }) => Number(level) > 30 && !String(msg).startsWith('idempotency keys are'),
  );

const production = { NODE_ENV: 'production', STUDY_API_URL: 'https://api.example.com/api/v1' };

it('logs its version and the settings that differ from the defaults in its first line', async () => {
  const { lines } = await start({
    ...production,
    HOST: '127.0.0.1',
    CORS_ORIGINS: 'https://app.example.com,https://b.example.com',
    RATE_LIMIT_REQUESTS: '70',
    MAX_CONNECTIONS: '4000',
    REDIS_URL: '',
  });

  expect(lines[0]).toMatchObject({ level: 30, msg: 'study-gateway starts' });
  expect(lines[0]).toMatchObject({ version: manifest.version });
  expect(lines[0]?.['settings']).toEqual({
    ...production,
    PORT: '0',
    EMULATOR_PORT: '0',
    EMULATOR_DB: ':memory:',
    CORS_ORIGINS: 'https://app.example.com,https://b.example.com',
    RATE_LIMIT_REQUESTS: '70',
    METRICS_PORT: '0',
  });
  expect(warnings(lines)).toEqual([]);
});

it('logs no secret', async () => {
  // A server that accepts connections, and never answers.
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const keyHash = hash('sha256', 'a key');
  const host = `127.0.0.1:${port}`;

  const { lines, output } = await start({
    ...production,
    AUTH_MODE: 'service',
    STUDY_API_TOKEN: 'canary-token',
    API_KEYS: `ci:${keyHash}`,
    REDIS_URL: `redis://canary-user:canary-password@${host}/3`,
    JWT_JWKS_URL: `http://${host}/canary?key=canary`,
    JWT_ISSUER: 'https://issuer.example.com',
    JWT_AUDIENCE: 'study-gateway',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://canary:canary@${host}/canary#canary`,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://canary@${host}/canary?canary`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=canary',
    STUDY_API_TOKE: 'canary',
  });

  expect(lines[0]?.['settings']).toMatchObject({
    STUDY_API_TOKEN: '(set)',
    API_KEYS: '(set)',
    REDIS_URL: `redis://${host}`,
    JWT_JWKS_URL: `http://${host}`,
  });
  expect(output).not.toContain('canary');
  expect(output).not.toContain(keyHash);
});

it.each([
  [{ ...production, STUDY_API_URL: 'http://10.0.0.1:8080/api' }, ['10.0.0.1:8080']],
  [{ ...production, STUDY_API_URL: 'http://127.0.0.1:8080' }, []],
  [{ STUDY_API_URL: 'http://api.example.com' }, []],
])('warns of plain http in production: %j', async (env, hosts) => {
  const { lines } = await start(env);

  expect(warnings(lines).map(({ host }) => host)).toEqual(hosts);
});
