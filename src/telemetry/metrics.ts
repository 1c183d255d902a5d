import Fastify from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { withoutSchemas, type AppPart } from '../http/app.js';
import { toListenAddress } from '../http/server.js';
import { version } from '../process/runtime.js';
import { OTHER_NAME } from '../study/drift.js';
import { createInstruments, type Instruments } from './instruments.js';
import { createOperationMetrics } from './operation-metrics.js';
import { addStateMetrics, createRestMetrics } from './rest-metrics.js';

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics for Prometheus. docs/operations.md lists every metric. */
export function createMetrics(port: number, host: string, logger: Logger) {
  // Not prom-client's global registry: one process may run several gateways.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const instruments = createInstruments(registry);
  const { counter, gauge } = instruments;
  const help = 'Always 1; the label `version` is the version of the gateway';
  gauge((info) => info.set({ version }, 1), 'build_info', help, ['version']);
  const bounds = counter(
    'bounds_reached_total',
    'Refused requests and answers that would have cost too much, by the bound they passed',
    ['bound'],
  );
  const countBound = (error: object): void => {
    if ('bound' in error && typeof error.bound === 'string') bounds.inc({ bound: error.bound });
  };
  const drift = counter(
    'drift_total',
    'Fields of Study API answers that differ from the contract',
    ['field', 'expected', 'received'],
  );
  const countDrift = (name: string, expected: string, received: string): void => {
    // Where nothing is expected, the Study API has chosen the name.
    const field = expected === 'nothing' ? OTHER_NAME : name;
    drift.inc({ field, expected, received });
  };
  const rateRefusals = counter(
    'rate_limit_refusals_total',
    'Requests and mutation fields refused because the caller was over the rate limit',
    ['limit'],
  );
  const app = Fastify({ schemaController: withoutSchemas, forceCloseConnections: true });
  app.server.maxConnections = 100;

  return {
    addHttp: createHttpMetrics(instruments, countBound),
    onCall: createRestMetrics(instruments),
    countDrift,
    countRateRefusal: (limit: string) => rateRefusals.inc({ limit }),
    listener: createOperationMetrics(instruments, countBound),
    addState: addStateMetrics.bind(undefined, instruments),
    /**
     * Serves `GET /metrics`, and what `parts` add, on a port whose connections do not count towards the clients' limit.
     * Rejects with Node's own error when the server cannot listen. @returns the URL, `http://127.0.0.1:9464/metrics`
     */
    async listen(parts: readonly (AppPart | undefined)[]): Promise<string> {
      for (const addTo of parts) await addTo?.(app);
      app.get('/metrics', async (_, reply) =>
        reply.type(registry.contentType).send(await registry.metrics()),
      );
      const url = `${await app.listen({ host: toListenAddress(host), port })}/metrics`;
      logger.info({ url }, 'metrics are served');
      return url;
    },
    close: () => app.close(),
  };
}

/** Measures every request of an HTTP server. @param countBound counts an error if the error reports a bound */
function createHttpMetrics(
  { counter, histogram }: Instruments,
  countBound: (error: object) => void,
): AppPart {
  const duration = histogram(
    'http_request_duration_seconds',
    'Time from the headers of a request to the end of the answer',
    ['status'],
  );
  const refusedConnections = counter(
    'http_connections_refused_total',
    'New connections closed at once because MAX_CONNECTIONS were open',
  );
  const internalErrors = counter(
    'http_internal_errors_total',
    'Requests that a defect of the gateway ended with status 500',
  );

  return (app) => {
    app.server.on('drop', () => refusedConnections.inc());
    app.addHook('onError', (_, __, error, done) => {
      countBound(error);
      done();
    });
    app.addHook('onRequest', (_, { raw }, done) => {
      const startedAt = performance.now();
      // 'close' fires both after a complete answer and when the client disconnects early.
      raw.once('close', () => {
        const { statusCode, writableFinished } = raw;
        if (statusCode === 500) internalErrors.inc();
        const status = writableFinished ? String(statusCode) : 'aborted';
        duration.observe({ status }, (performance.now() - startedAt) / 1_000);
      });
      done();
    });
  };
}
