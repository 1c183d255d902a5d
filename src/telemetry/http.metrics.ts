import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppPart } from '../http/app.js';
import type { Instruments } from './instruments.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Adds metrics to an HTTP server: every request, whether or not it is a GraphQL operation, and refused connections.
 *
 * @param countBound counts an error if the error reports a bound
 */
export function createHttpMetrics(
  instruments: Instruments,
  countBound: (error: object) => void,
): AppPart {
  let inFlight = 0;
  const duration = instruments.durations(
    'http_request_duration_seconds',
    'Time from the headers of a request to the end of the answer',
    ['method', 'route', 'status'],
  );
  instruments.gauge('http_requests_in_flight', 'Requests whose answer is not complete', (gauge) =>
    gauge.set(inFlight),
  );
  const refusedConnections = instruments.counter(
    'http_connections_refused_total',
    'New connections closed at once because MAX_CONNECTIONS were open',
  );
  const internalErrors = instruments.counter(
    'http_internal_errors_total',
    'Requests that a defect of the gateway ended with status 500',
  );

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

function toLabels({ method, routeOptions }: FastifyRequest, { raw, statusCode }: FastifyReply) {
  return {
    method: methods.has(method) ? method : 'other',
    route: routeOptions.url ?? 'other',
    status: raw.writableFinished ? String(statusCode) : 'aborted',
  };
}
