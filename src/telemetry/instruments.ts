import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const PREFIX = 'study_gateway_';
/** Buckets in seconds: from a request answered without a call to a call that used up a long deadline. */
const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Creates the gateway's metrics in one registry. Their names begin with `study_gateway_`. */
export class Instruments {
  readonly #registers: [Registry];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: this.#registers });
  }

  /** Creates a histogram of durations in seconds. */
  durations<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    const registers = this.#registers;
    return new Histogram({
      name: PREFIX + name,
      help,
      labelNames,
      buckets: DURATION_BUCKETS,
      registers,
    });
  }

  /** Adds a gauge. At each scrape, `collect` sets the gauge's current values. */
  gauge<Label extends string>(
    name: string,
    help: string,
    collect: (gauge: Gauge<Label>) => void,
    labelNames: Label[] = [],
  ): void {
    const set = function (this: Gauge<Label>): void {
      collect(this);
    };
    void new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      collect: set,
      registers: this.#registers,
    });
  }
}
