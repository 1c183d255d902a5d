import { expect, it, vi } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import {
  findFreePort,
  runOperation,
  startProgram,
  startReadyProgram,
  takePort,
  type ReadyProgram,
  toPreload,
} from '../support/process.js';
import { startCollector } from './collector.fixture.js';
import { scrape } from '../support/exposition.js';

vi.setConfig({ testTimeout: 20_000 });

/** Module that prints the packages of metrics and traces as they are loaded. */
const watchLoads = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    const name = /node_modules[/](prom-client|@opentelemetry[/][^/]+)/.exec(url)?.[1];
    if (name) process.stdout.write('loaded ' + name + '\\n');
    return next(url, context);
  } });`;
const nodeArgs = toPreload(watchLoads);

/** Makes a write, stops the program, and returns the packages that the program has loaded. */
async function use({ url, kill, exit }: ReadyProgram): Promise<Set<string | undefined>> {
  await runOperation(url, CreateStudyDocument, { input: {} });
  kill('SIGTERM');
  const { code, stdout, stderr } = await exit;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return new Set([...stdout.matchAll(/^loaded (\S+)$/gm)].map(([, name]) => name));
}

it('loads no package of metrics or traces that are off', async () => {
  const off = await startReadyProgram({ nodeArgs });
  const metrics = await startReadyProgram({ nodeArgs, env: { METRICS_PORT: '0' } });

  expect(await use(off)).toEqual(new Set());
  expect(await use(metrics)).toContain('prom-client');
});

it('sends its spans before it exits', async () => {
  const collector = await startCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
  };

  const loaded = await use(await startReadyProgram({ nodeArgs, env }));

  expect(loaded).toContain('@opentelemetry/sdk-trace');
  expect(loaded).not.toContain('prom-client');
  expect(collector.spans.map(({ name }) => name)).toEqual([
    'POST /studies',
    'mutation createStudy',
  ]);
  expect(collector.headers()).toMatchObject({ authorization: 'Bearer of-the-collector' });
});

it.each([
  ['refuses connections', findFreePort],
  ['never answers', takePort],
])('exits with 0 at once even if the collector %s', async (_, findPort) => {
  const program = await startReadyProgram({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findPort()}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      METRICS_PORT: '0',
      // With this grace, a program that is not stopped after 1.5 s exits with 1.
      SHUTDOWN_GRACE_MS: '1000',
    },
  });
  await runOperation(program.url, CreateStudyDocument, { input: {} });

  program.kill('SIGTERM');

  expect(await program.exit).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('serves metrics on METRICS_PORT', async () => {
  const program = await startReadyProgram({ env: { METRICS_PORT: '0' } });
  const [, metricsUrl] = await program.printed(/"url":"([^"]+)","msg":"metrics are served"/);

  await runOperation(program.url, CreateStudyDocument, { input: {} });

  const { types, value } = await scrape({ metricsUrl });
  const create = { root_field: 'createStudy', code: 'none' };
  expect(value('study_gateway_operations_total', create)).toBe(1);
  expect([...types.keys()]).toEqual(
    expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']),
  );
});

it('names METRICS_PORT when the port is taken', async () => {
  const METRICS_PORT = String(await takePort());

  const { exit } = startProgram({ env: { METRICS_PORT } });

  expect(await exit).toMatchObject({
    code: 1,
    stderr: `study-gateway cannot start.\nMETRICS_PORT: port ${METRICS_PORT} of 127.0.0.1 is taken by another program. Set METRICS_PORT to a free one.\n`,
  });
});

it('closes its metrics server when the gateway cannot start', async () => {
  const { exit } = startProgram({ env: { METRICS_PORT: '0', PORT: String(await takePort()) } });

  expect(await exit).toMatchObject({
    code: 1,
    signal: null,
    stdout: expect.stringContaining('"msg":"metrics are served"'),
    stderr: expect.stringMatching(/\nPORT: port \d+ of 127\.0\.0\.1 is taken by another program/),
  });
});
