import { Counter, Histogram, type Registry } from 'prom-client';
import { RestError } from '../rest/errors.js';
import type { RestAttempt, RestCall } from '../rest/rest-call.js';
import type { RestClient } from '../rest/rest-client.js';
import { DURATION_BUCKETS } from './buckets.js';

/** Returns a client that counts and times each call, and makes the call through `rest`. */
export type CountRest = (rest: RestClient) => RestClient;

export function createRestMetrics(registry: Registry): CountRest {
  const registers = [registry];
  const total = new Counter({
    name: 'study_gateway_rest_calls_total',
    help: 'Calls to the Study API, by status of the last attempt, error and outcome',
    labelNames: ['route', 'status', 'error', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'study_gateway_rest_call_duration_seconds',
    help: 'Time of a call to the Study API, including the queue and retries',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const retries = new Counter({
    name: 'study_gateway_rest_retries_total',
    help: 'Retries of calls to the Study API',
    labelNames: ['route'],
    registers,
  });

  async function send(rest: RestClient, call: RestCall): ReturnType<RestClient['send']> {
    const startedAt = performance.now();
    const route = toRoute(call);
    let attempts = 0;
    let status: number | undefined;
    let error: unknown;
    const onAttempt = (attempt: RestAttempt): void => {
      attempts += 1;
      ({ status } = attempt);
      if (attempts > 1) retries.inc({ route });
      call.onAttempt?.(attempt);
    };
    try {
      return await rest.send({ ...call, onAttempt });
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      duration.observe({ route }, (performance.now() - startedAt) / 1_000);
      total.inc({ route, status: toStatus(status), ...toEnding(error) });
    }
  }

  return (rest) => ({
    send: (call) => send(rest, call),
    close: () => rest.close(),
    get circuit() {
      return rest.circuit;
    },
    get usage() {
      return rest.usage;
    },
  });
}

/** Returns the label of a status. Servers may send any three digits; `other` above 599 bounds the cardinality. */
function toStatus(status: number | undefined): string {
  if (status === undefined) return 'none';
  return status < 600 ? String(status) : 'other';
}

function toEnding(error: unknown): { readonly error: string; readonly outcome: string } {
  if (error === undefined) return { error: 'none', outcome: 'none' };
  if (!(error instanceof RestError)) return { error: 'other', outcome: 'none' };
  return { error: error.name, outcome: error.outcome };
}

/** Returns the label of a call: its method and path template, such as `PATCH /studies/{study_id}`. */
function toRoute({ method, template }: RestCall): string {
  return `${method} ${template}`;
}
