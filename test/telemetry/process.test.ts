import { expect, it } from 'vitest';
import { CreateStudyDocument } from 'study-gateway-client';
import {
  runOperation,
  startReadyProgram,
  takePort,
  type ReadyProgram,
  toPreload,
} from '../support/process.js';
import { startCollector } from './collector.fixture.js';
import { scrape } from '../support/exposition.js';

/** Module that prints the packages of metrics and traces as they are loaded. */
const watchLoads = `import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    const name = /node_modules[/](prom-client|@opentelemetry[/][^/]+)/.exec(url)?.[1];
    if (name) process.stdout.write('loaded ' + name + '\\n');
    return next(url, context);
  } });`;
const nodeArgs = toPreload(watchLoads);

/** Returns the packages that a program has loaded, from its output. */
function toLoaded(stdout: string): Set<string | undefined> {
  return new Set([...stdout.matchAll(/^loaded (\S+)$/gm)].map(([, name]) => name));
}

/** Makes a write, stops the program, and returns the packages that the program has loaded. */
async function use({ url, kill, exit }: ReadyProgram): Promise<Set<string | undefined>> {
  await runOperation(url, CreateStudyDocument, { input: {} });
  kill('SIGTERM');
  const { code, stdout, stderr } = await exit;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return toLoaded(stdout);
}

it('loads no package of metrics and traces that are off', async () => {
  expect(await use(await startReadyProgram({ nodeArgs }))).toEqual(new Set());
});

it('serves metrics on METRICS_PORT, and sends its spans before it exits', async () => {
  const collector = await startCollector();
  const env = {
    METRICS_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
  };
  const program = await startReadyProgram({ env });
  const [, metricsUrl] = await program.printed(/"url":"([^"]+)","msg":"metrics are served"/);
  await runOperation(program.url, CreateStudyDocument, { input: {} });

  const { types, value } = await scrape({ metricsUrl });
  await use(program);

  const create = { root_field: 'createStudy', code: 'none' };
  expect(value('study_gateway_operations_total', create)).toBe(1);
  expect([...types.keys()]).toEqual(
    expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']),
  );
  const spans = ['POST /studies', 'mutation createStudy'];
  expect(collector.spans.map(({ name }) => name)).toEqual([...spans, ...spans]);
  expect(collector.headers()).toMatchObject({ authorization: 'Bearer of-the-collector' });
});

it('exits with 0 at once even if the collector never answers', async () => {
  const program = await startReadyProgram({
    nodeArgs,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await takePort()}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      // A program that is not stopped 0.5 s after its grace exits with 1; an export may take 10 s.
      SHUTDOWN_GRACE_MS: '4000',
    },
  });

  const loaded = await use(program);

  expect(loaded).toContain('@opentelemetry/sdk-trace');
  expect(loaded).not.toContain('prom-client');
});
