import { Counter, type Registry } from 'prom-client';

/** Buckets in seconds: from a request answered without a call to a call that used up a long deadline. */
export const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Creates a counter, and returns the function that counts one value of its label. All values start at 0: Prometheus sees
 * no increase when a series first appears with 1.
 */
export function createCounterOf(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  values: Iterable<string>,
): (value: string) => void {
  const total = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) total.inc({ [label]: value }, 0);
  return (value) => total.inc({ [label]: value });
}
