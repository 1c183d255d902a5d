import { RestError, type Wrap } from 'rest-outcome';
import { toldFailures } from '../errors/told-failures.js';
import type { Instruments } from './instruments.js';

/** Returns the wrap that counts and times each call. */
export function createRestMetrics(instruments: Instruments): Wrap {
  const total = instruments.counter(
    'rest_calls_total',
    'Calls to the Study API, by status of the last attempt, error and outcome',
    ['route', 'status', 'error', 'outcome'],
  );
  const duration = instruments.durations(
    'rest_call_duration_seconds',
    'Time of a call to the Study API, including the queue and retries',
    ['route'],
  );
  const retries = instruments.counter('rest_retries_total', 'Retries of calls to the Study API', [
    'route',
  ]);

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
  return { error: toldFailures[error.failure][0], outcome: error.outcome };
}
