import type { Client } from 'rest-outcome';
import type { Instruments } from './instruments.js';

const circuits = ['closed', 'half-open', 'open'] as const;

export interface ObservedState {
  readonly rest: Pick<Client, 'circuit' | 'usage'>;
  /** `undefined` when Redis is not used. */
  readonly redis: { readonly state: 'ready' | 'away' } | undefined;
  readonly maxCalls: number;
  readonly maxQueue: number;
}

/** Adds gauges that read the current state of the REST client and of Redis at each scrape. */
export function addStateMetrics(instruments: Instruments, state: ObservedState): void {
  const { rest, redis, maxCalls, maxQueue } = state;
  const addGauge = (name: string, help: string, read: () => number): void =>
    instruments.gauge(name, help, (gauge) => gauge.set(read()));

  addGauge('rest_calls_running', 'Calls to the Study API under way', () => rest.usage.running);
  addGauge('rest_calls_queued', 'Calls to the Study API in the queue', () => rest.usage.queued);
  addGauge('rest_calls_max', 'Maximum of calls under way: STUDY_API_MAX_CALLS', () => maxCalls);
  addGauge('rest_queue_max', 'Maximum of calls in the queue: STUDY_API_MAX_QUEUE', () => maxQueue);
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
