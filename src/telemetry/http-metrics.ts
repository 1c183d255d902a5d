import { Counter, Histogram, type Registry } from 'prom-client';
import type { AppPart } from '../http/app.js';
import { buckets } from './instruments.js';

/** Measures every request of an HTTP server. @param countBound counts an error if the error reports a bound */
export function createHttpMetrics(
  registry: Registry,
  countBound: (error: object) => void,
): AppPart {
  const registers = [registry];
  const duration = new Histogram({
    name: 'study_gateway_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of the answer',
    labelNames: ['status'],
    buckets,
    registers,
  });
  const refusedConnections = new Counter({
    name: 'study_gateway_http_connections_refused_total',
    help: 'New connections closed at once because MAX_CONNECTIONS were open',
    registers,
  });
  const internalErrors = new Counter({
    name: 'study_gateway_http_internal_errors_total',
    help: 'Requests that a defect of the gateway ended with status 500',
    registers,
  });

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
