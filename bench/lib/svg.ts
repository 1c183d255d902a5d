/** Rounds a coordinate to one decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
