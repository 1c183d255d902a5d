import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const PREFIX = 'study_gateway_';
/** Buckets in seconds: from a request answered without a call to a call that used up a long deadline. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Instruments = ReturnType<typeof createInstruments>;

/** Returns functions that create the gateway's metrics in one registry. Their names begin with `study_gateway_`. */
export function createInstruments(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });

  return {
    counter,
    /**
     * Creates a counter with one label of known values, and returns the function that counts a value. Starts every series
     * at 0: Prometheus sees no increase when a series first appears with 1.
     */
    counterOf(name: string, help: string, label: string, values: Iterable<string>) {
      const total = counter(name, help, [label]);
      for (const value of values) total.inc({ [label]: value }, 0);
      return (value: string): void => total.inc({ [label]: value });
    },
    /** Creates a histogram of durations in seconds. */
    durations: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers }),
    /** Adds a gauge. At each scrape, `collect` sets the gauge's current values. */
    gauge<Label extends string>(
      name: string,
      help: string,
      collect: (gauge: Gauge<Label>) => void,
      labelNames: Label[] = [],
    ): void {
      const gauge: Gauge<Label> = new Gauge({
        name: PREFIX + name,
        help,
        labelNames,
        collect: () => collect(gauge),
        registers,
      });
    },
  };
}
