import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** A copy of the sources for a test to change. */
export interface ScratchCopy {
  readonly root: string;
  /** Changes a file of the copy. */
  readonly edit: (path: string, change: (source: string) => string) => void;
}

/** What the gateway is built from. */
export const sources = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Folders that no copy needs: `node_modules` is a link, and the others are made by the copy itself. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.data']);

/**
 * @param paths files and folders to copy; `.` copies the whole repository. Default: what the gateway is built from
 * @param onEnd called with what deletes the copy. Default: it lives as long as the test
 */
export function createScratchCopy(
  paths: readonly string[] = sources,
  onEnd: (end: () => void) => void = onTestFinished,
): ScratchCopy {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'study-gateway-copy-')));
  onEnd(() => rmSync(root, { recursive: true, force: true }));
  const filter = (path: string): boolean => !LEFT_OUT.has(basename(path));
  for (const path of paths) cpSync(path, join(root, path), { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));

  return {
    root,
    edit(path, change) {
      const file = join(root, path);
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    },
  };
}
