import type { Client, OnCall } from 'rest-outcome';
import type { Instruments } from './instruments.js';

export function createRestMetrics({ counter, histogram }: Instruments): OnCall<object> {
  const total = counter(
    'rest_calls_total',
    'Calls to the Study API, by status of the last attempt',
    ['route', 'status'],
  );
  const duration = histogram(
    'rest_call_duration_seconds',
    'Time of a call to the Study API, including the queue and retries',
    ['route'],
  );

  return (entry) => {
    const startedAt = performance.now();
    const route = `${entry.method} ${entry.template}`;
    return () => {
      const { attempts, isMade } = entry;
      if (!isMade) return;
      total.inc({ route, status: attempts.at(-1)?.status ?? 'none' });
      duration.observe({ route }, (performance.now() - startedAt) / 1_000);
    };
  };
}

/** Adds gauges that read the state of the REST client, and of Redis if it is used, at each scrape. */
export function addStateMetrics(
  { gauge }: Instruments,
  maxCalls: number,
  rest: Pick<Client, 'circuit' | 'usage'>,
  redis: { readonly state: 'ready' | 'away' } | undefined,
): void {
  const add = (name: string, help: string, read: () => number) =>
    gauge((found) => found.set(read()), name, help);
  add('rest_calls_running', 'Calls to the Study API under way', () => rest.usage.running);
  add('rest_calls_queued', 'Calls to the Study API in the queue', () => rest.usage.queued);
  add('rest_calls_max', 'Maximum of calls under way: STUDY_API_MAX_CALLS', () => maxCalls);
  if (redis)
    add('redis_up', '1 while Redis answers, 0 otherwise', () => Number(redis.state === 'ready'));
  gauge(
    (circuit) => {
      for (const state of ['closed', 'half-open', 'open'])
        circuit.set({ state }, Number(rest.circuit === state));
    },
    'circuit_state',
    'Circuit breaker of the Study API: 1 for the current state, 0 for the others',
    ['state'],
  );
}
