import { Gauge, type Registry } from 'prom-client';
import type { RestClient, RestUsage } from '../rest/rest-client.js';

interface StateOptions {
  readonly maxCalls: number;
  readonly maxQueue: number;
}

/**
 * Adds gauges that read the current state of the REST client and of Redis at each scrape.
 *
 * @param redis `undefined` adds no gauge for Redis
 */
export type AddState = (
  rest: Pick<RestClient, 'circuit' | 'usage'>,
  redis: { readonly state: 'ready' | 'away' } | undefined,
  options: StateOptions,
) => void;

const circuits = ['closed', 'half-open', 'open'] as const;

/** Returns the function that adds gauges of REST calls, connections, the circuit breaker and Redis to `registry`. */
export function createStateMetrics(registry: Registry): AddState {
  return (rest, redis, options) => addGauges(registry, rest, redis, options);
}

function addGauges(registry: Registry, ...[rest, redis, options]: Parameters<AddState>): void {
  const { maxCalls, maxQueue } = options;
  const addGauge = (name: string, help: string, read: () => number): void => {
    void new Gauge({
      name: `study_gateway_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };

  const addUsage = (name: keyof RestUsage, help: string): void =>
    addGauge(`rest_calls_${name}`, help, () => rest.usage[name]);

  addUsage('running', 'Calls to the Study API under way');
  addUsage('queued', 'Calls to the Study API in the queue');
  addGauge('rest_calls_max', 'Maximum of calls under way: STUDY_API_MAX_CALLS', () => maxCalls);
  addGauge('rest_queue_max', 'Maximum of calls in the queue: STUDY_API_MAX_QUEUE', () => maxQueue);
  void new Gauge({
    name: 'study_gateway_rest_connections',
    help: 'Open connections to the Study API',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { connections, idleConnections } = rest.usage;
      this.set({ state: 'busy' }, connections - idleConnections);
      this.set({ state: 'idle' }, idleConnections);
    },
  });
  void new Gauge({
    name: 'study_gateway_circuit_state',
    help: 'Circuit breaker of the Study API: 1 for the current state, 0 for the others',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const circuit of circuits)
        this.set({ state: circuit }, rest.circuit === circuit ? 1 : 0);
    },
  });
  if (redis)
    addGauge('redis_up', '1 while Redis answers, 0 otherwise', () =>
      redis.state === 'ready' ? 1 : 0,
    );
}
