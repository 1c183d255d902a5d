import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startProgram } from '../support/process.js';

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

it('logs its version and the names of the variables that are set in its first line', async () => {
  const { lines } = await start({
    ...production,
    CORS_ORIGINS: 'https://app.example.com,https://b.example.com',
    RATE_LIMIT_REQUESTS: '70',
    REDIS_URL: '',
  });

  expect(lines[0]).toMatchObject({ level: 30, msg: 'study-gateway starts' });
  expect(lines[0]).toMatchObject({ version: manifest.version });
  expect(lines[0]?.['settings']).toEqual([
    'STUDY_API_URL',
    'PORT',
    'CORS_ORIGINS',
    'RATE_LIMIT_REQUESTS',
    'EMULATOR_PORT',
    'EMULATOR_DB',
    'NODE_ENV',
    'METRICS_PORT',
  ]);
  expect(warnings(lines)).toEqual([]);
});

it('logs no secret', async () => {
  const keyHash = hash('sha256', 'a key');
  // No program listens on port 1, so what fails is logged.
  const host = '127.0.0.1:1';

  const { lines, output } = await start({
    ...production,
    STUDY_API_URL: 'http://127.0.0.1:8080',
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

  expect(lines[0]?.['settings']).toEqual(expect.arrayContaining(['STUDY_API_TOKEN', 'API_KEYS']));
  expect(lines.filter(({ host }) => host === '127.0.0.1:8080')).toEqual([]);
  expect(output).not.toContain('canary');
  expect(output).not.toContain(keyHash);
});

it('warns of plain http to another machine in production', async () => {
  const { lines } = await start({ ...production, STUDY_API_URL: 'http://10.0.0.1:8080/api' });

  expect(warnings(lines)).toMatchObject([{ host: '10.0.0.1:8080' }]);
});
