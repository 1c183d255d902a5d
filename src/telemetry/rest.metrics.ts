import { Counter, Histogram, type Registry } from 'prom-client';
import { RestError } from '../rest/errors.js';
import type { Wrap } from '../rest/operation.js';
import { DURATION_BUCKETS } from './buckets.js';

/** Returns what counts and times each call. */
export function createRestMetrics(registry: Registry): Wrap {
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

  return (next) => async (call, operation) => {
    const startedAt = performance.now();
    const route = `${call.method} ${call.template}`;
    let error: unknown;
    try {
      return await next(call, operation);
    } catch (thrown) {
      error = thrown;
      throw thrown;
    } finally {
      const { attempts } = call.entry;
      const status = toStatus(attempts.at(-1)?.status);
      if (attempts.length > 1) retries.inc({ route }, attempts.length - 1);
      duration.observe({ route }, (performance.now() - startedAt) / 1_000);
      total.inc({ route, status, ...toEnding(error) });
    }
  };
}

/** Returns the label of a status. Servers may send any three digits; `other` above 599 bounds the cardinality. */
function toStatus(status: number | undefined): string {
  if (status === undefined) return 'none';
  return status < 600 ? String(status) : 'other';
}

function toEnding(error: unknown): { readonly error: string; readonly outcome: string } {
  if (error === undefined) return { error: 'none', outcome: 'none' };
  if (!(error instanceof RestError)) return { error: 'other', outcome: 'none' };
  return { error: error.meaning.label, outcome: error.outcome };
}

/** Returns the label of a call: its method and path template, such as `PATCH /studies/{study_id}`. */
