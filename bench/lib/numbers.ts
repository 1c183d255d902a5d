/** Median, minimum and maximum of several measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function toSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return {
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    min: sorted[0]!,
    max: sorted.at(-1)!,
  };
}

/** Formats a number without decimals from 100 on, with one from 10 on, and with two below. */
export function toText(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
