import { keyResults, RestError, type Client, type OnCall } from 'rest-outcome';
import { toldFailures } from '../errors/told-failures.js';
import { MAX_DRIFT_KINDS, toDriftKind } from '../study/drift-log.js';
import type { ReportDrift } from '../study/study.wire.js';
import type { Instruments } from './instruments.js';

export function createRestMetrics(instruments: Instruments): OnCall<object> {
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

  const countKeyed = instruments.counterOf(
    'idempotent_calls_total',
    'Writes with an idempotency key, by result',
    'result',
    keyResults,
  );
  const unknown = instruments.counter(
    'idempotency_unknown_total',
    'Idempotency keys of calls whose outcome is UNKNOWN: writes to settle',
  );

  return ({ method, template, entry }) => {
    const startedAt = performance.now();
    const route = `${method} ${template}`;
    return (error) => {
      const { attempts, keyResult, outcome } = entry;
      if (keyResult) countKeyed(keyResult);
      if (keyResult === 'made' && outcome === 'UNKNOWN') unknown.inc();
      // No call was made: an earlier call with the key, or the store of keys, decided.
      if (keyResult && keyResult !== 'made') return;
      const status = toStatus(attempts.at(-1)?.status);
      if (attempts.length > 1) retries.inc({ route }, attempts.length - 1);
      duration.observe({ route }, (performance.now() - startedAt) / 1_000);
      total.inc({ route, status, ...toEnding(error) });
    };
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

const circuits = ['closed', 'half-open', 'open'] as const;

/**
 * Adds gauges that read the current state of the REST client and of Redis at each scrape.
 *
 * @param redis `undefined` when Redis is not used
 */
export function addStateMetrics(
  instruments: Instruments,
  { maxCalls, maxQueue }: { readonly maxCalls: number; readonly maxQueue: number },
  rest: Pick<Client, 'circuit' | 'usage'>,
  redis: { readonly state: 'ready' | 'away' } | undefined,
): void {
  const addGauge = (name: string, help: string, read: () => number): void =>
    instruments.gauge(name, help, (gauge) => gauge.set(read()));

  addGauge('rest_calls_running', 'Calls to the Study API under way', () => rest.usage.running);
  addGauge('rest_calls_queued', 'Calls to the Study API in the queue', () => rest.usage.queued);
  addGauge('rest_calls_max', 'Maximum of calls under way: STUDY_API_MAX_CALLS', () => maxCalls);
  addGauge('rest_queue_max', 'Maximum of calls in the queue', () => maxQueue);
  instruments.gauge(
    'rest_connections',
    'Open connections to the Study API',
    (gauge) => {
      const { connections, idleConnections } = rest.usage;
      gauge.set({ state: 'busy' }, connections - idleConnections);
      gauge.set({ state: 'idle' }, idleConnections);
    },
    ['state'],
  );
  instruments.gauge(
    'circuit_state',
    'Circuit breaker of the Study API: 1 for the current state, 0 for the others',
    (gauge) => {
      for (const state of circuits) gauge.set({ state }, Number(rest.circuit === state));
    },
    ['state'],
  );
  if (redis)
    addGauge('redis_up', '1 while Redis answers, 0 otherwise', () =>
      Number(redis.state === 'ready'),
    );
}

/** Labels for every kind of drift after the first MAX_DRIFT_KINDS: they bound the label cardinality. */
const others = { field: 'other', expected: 'other', received: 'other' };

/** Returns a wrap of a drift report: it counts each difference from the Study API's contract, then passes it on. */
export function createDriftMetrics(instruments: Instruments): (report: ReportDrift) => ReportDrift {
  const kinds = new Set<string>();
  const total = instruments.counter(
    'drift_total',
    'Fields of Study API answers that differ from the contract',
    ['field', 'expected', 'received'],
  );

  return (report) =>
    (...drift) => {
      const { kind, labels } = toDriftKind(...drift);
      if (kinds.size < MAX_DRIFT_KINDS) kinds.add(kind);
      total.inc(kinds.has(kind) ? labels : others);
      report(...drift);
    };
}
