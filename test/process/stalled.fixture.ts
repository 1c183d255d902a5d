import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDirectory } from '../support/process.js';

/** Creates a named pipe, and returns its path. */
function createPipe(): string {
  const path = join(createDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Returns a file descriptor of a full pipe that nobody reads. A write to the descriptor blocks. */
export function openStalledPipe(): number {
  const path = createPipe();
  const filling = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // Opened separately, so that this descriptor does not share O_NONBLOCK, and writes to it block.
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
