import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDirectory } from '../support/process.js';

/** The path of a pipe. */
export function createPipe(): string {
  const path = join(createDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** The writing end of a pipe that is full, and that nobody reads. */
export function openStalledPipe(): number {
  const path = createPipe();
  const filling = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // Opened on its own: the other one's flags are not shared, so that a write to this one blocks.
  const stalled = openSync(path, constants.O_WRONLY);
  onTestFinished(() => {
    closeSync(stalled);
    closeSync(filling);
  });
  try {
    for (;;) writeSync(filling, Buffer.alloc(4_096));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
  return stalled;
}
