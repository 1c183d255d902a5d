import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS } from './buckets.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and times the requests of the HTTP server, those that become no operation among them, and refused connections. */
export type CountHttp = (app: FastifyInstance) => void;

export function createHttpMetrics(registry: Registry): CountHttp {
  const registers = [registry];
  let inFlight = 0;
  const duration = new Histogram({
    name: 'study_gateway_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  // It registers itself, and reads the number when it is asked.
  void new Gauge({
    name: 'study_gateway_http_requests_in_flight',
    help: 'Requests that have no whole answer yet',
    registers,
    collect() {
      this.set(inFlight);
    },
  });

  const refusedConnections = new Counter({
    name: 'study_gateway_http_connections_refused_total',
    help: 'Connections closed as they came: MAX_CONNECTIONS were open',
    registers,
  });

  return (app) => {
    app.server.on('drop', () => refusedConnections.inc());
    app.addHook('onRequest', (request, reply, done) => {
      const startedAt = performance.now();
      inFlight += 1;
      // The one event that comes whether or not the client has stayed.
      reply.raw.once('close', () => {
        inFlight -= 1;
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
