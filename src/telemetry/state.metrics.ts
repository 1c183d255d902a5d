import { Gauge, type Registry } from 'prom-client';
import type { RestClient, RestUsage } from '../rest/rest-client.js';

/** The state that is read at each scrape. */
export interface GatewayState {
  readonly rest: Pick<RestClient, 'circuit' | 'usage'>;
  /** `undefined` without Redis, which leaves the metric of Redis out. */
  readonly redis: { readonly state: 'ready' | 'away' } | undefined;
  readonly maxCalls: number;
  readonly maxQueue: number;
}

const circuits = ['closed', 'half-open', 'open'] as const;

/** Adds gauges of calls under way, connections, the circuit breaker and Redis. */
export function addStateMetrics(registry: Registry, state: GatewayState): void {
  const { rest, redis, maxCalls, maxQueue } = state;
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
  addUsage('queued', 'Calls that wait for their turn');
  addGauge('rest_calls_max', 'STUDY_API_MAX_CALLS', () => maxCalls);
  addGauge('rest_queue_max', 'STUDY_API_MAX_QUEUE', () => maxQueue);
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
    help: 'Circuit breaker to the Study API: 1 for the state that it is in',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const circuit of circuits)
        this.set({ state: circuit }, rest.circuit === circuit ? 1 : 0);
    },
  });
  if (redis) addGauge('redis_up', '1 while Redis answers', () => (redis.state === 'ready' ? 1 : 0));
}
