import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS } from './buckets.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Adds metrics to an HTTP server: every request, whether or not it is a GraphQL operation, and refused connections. */
export type CountHttp = (app: FastifyInstance) => void;

/** @param countBound counts an error if the error reports a bound */
export function createHttpMetrics(
  registry: Registry,
  countBound: (error: object) => void,
): CountHttp {
  const registers = [registry];
  let inFlight = 0;
  const duration = new Histogram({
    name: 'study_gateway_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  // The gauge registers itself, and reads `inFlight` at each scrape.
  void new Gauge({
    name: 'study_gateway_http_requests_in_flight',
    help: 'Requests that are not completely answered',
    registers,
    collect() {
      this.set(inFlight);
    },
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
      countBound(error.statusCode === 413 ? { bound: 'body_bytes' } : error);
      done();
    });
    app.addHook('onRequest', (request, reply, done) => {
      const startedAt = performance.now();
      inFlight += 1;
      // 'close' fires both after a complete answer and when the client disconnects early.
      reply.raw.once('close', () => {
        inFlight -= 1;
        if (reply.statusCode === 500) internalErrors.inc();
        duration.observe(toLabels(request, reply), (performance.now() - startedAt) / 1_000);
      });
      done();
    });
  };
}

function toLabels(
  { method, routeOptions }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
): Record<'method' | 'route' | 'status', string> {
  return {
    method: methods.has(method) ? method : 'other',
    route: routeOptions.url ?? 'other',
    status: raw.writableFinished ? String(statusCode) : 'aborted',
  };
}
