import { expect } from 'vitest';
import type { TestGateway } from './gateway.js';

/** One time series of a `/metrics` response, and its value. */
interface Sample {
  /** Name of the series. The series of a histogram end in `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A parsed `/metrics` response. */
export interface Exposition {
  readonly text: string;
  /** Types of the metrics, such as `counter`, by metric name. */
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly Sample[];
  /** Returns the value of the only series that has at least these labels; `undefined` if no series has them. */
  readonly value: (name: string, labels?: Record<string, string>) => number | undefined;
}

export async function scrape({ metricsUrl }: Pick<TestGateway, 'metricsUrl'>): Promise<Exposition> {
  const response = await fetch(metricsUrl!);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readExposition(await response.text());
}

/** Parses the Prometheus text format 0.0.4. @throws Error on a line that does not conform to the format */
function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, typed, type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) types.set(typed, type);
    if (line === '' || line.startsWith('# ')) continue;
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`Not of the text format: ${line}`);
    samples.push({ name, labels: readLabels(labels), value: Number(value) });
  }
  const value: Exposition['value'] = (name, labels = {}) => {
    const found = samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
    );
    if (found.length > 1) throw new Error(`${name} has ${found.length} such series.`);
    return found[0]?.value;
  };
  return { text, types, samples, value };
}

function readLabels(text: string): Record<string, string> {
  const labels = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)",?/g);
  return Object.fromEntries(Array.from(labels, ([, name = '', value = '']) => [name, value]));
}
