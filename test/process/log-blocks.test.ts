import { expect, it, onTestFinished, vi } from 'vitest';
import { LogBlocks } from '../../src/process/log.js';

function createLog() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const blocks: string[] = [];
  return { blocks, log: new LogBlocks({ write: (block) => blocks.push(block) }) };
}

it('writes all lines in order, in blocks of at least 8,192 characters', () => {
  const { blocks, log } = createLog();
  const lines = Array.from({ length: 2_000 }, (_, index) => `{"line":${index}}\n`);

  for (const line of lines) log.write(line);
  const lengths = blocks.map(({ length }) => length);
  log.flush();

  expect(lengths).toHaveLength(3);
  for (const length of lengths) {
    expect(length).toBeGreaterThanOrEqual(8_192);
    expect(length).toBeLessThan(8_192 + lines.at(-1)!.length);
  }
  expect(blocks.join('')).toBe(lines.join(''));
});

it('writes the buffered lines after 200 ms, and nothing if there are none', () => {
  const { blocks, log } = createLog();

  log.write('one\n');
  vi.advanceTimersByTime(199);
  expect(blocks).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(blocks).toEqual(['one\n']);
  vi.advanceTimersByTime(1_000);
  expect(blocks).toEqual(['one\n']);
});
