import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** In seconds: from a request answered without a call to a call that used up a long deadline. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Instruments = ReturnType<typeof createInstruments>;

/** Creates the functions that add a metric to a registry. Each name gets the prefix `study_gateway_`. */
export function createInstruments(registry: Registry) {
  const toOptions = (name: string, help: string, labelNames: readonly string[] = []) => ({
    name: `study_gateway_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  type Options = Parameters<typeof toOptions>;
  return {
    counter: (...options: Options) => new Counter(toOptions(...options)),
    histogram: (...options: Options) => new Histogram({ ...toOptions(...options), buckets }),
    /** Adds a gauge. `collect` sets its values at each scrape. */
    gauge: (collect: (gauge: Gauge) => void, ...options: Options) =>
      new Gauge({
        ...toOptions(...options),
        collect() {
          collect(this);
        },
      }),
  };
}
