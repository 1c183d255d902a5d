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
import { spawnProgram } from './program.js';
import { run } from './run.js';

/** A copy of the sources for a test to change. The copy is deleted when the test ends. */
export interface ScratchCopy {
  readonly root: string;
  /** Changes a file of the copy. */
  readonly edit: (path: string, change: (source: string) => string) => void;
  /**
   * Builds the copy once, and starts its gateway.
   *
   * @param environment more variables of the gateway
   * @param script program in the copy that prints the gateway's banner. Default: that of the build
   */
  readonly start: (
    studyApiUrl: string,
    environment?: Readonly<Record<string, string>>,
    script?: string,
  ) => Promise<StartedCopy>;
}

interface StartedCopy {
  /** URL of the started gateway's GraphQL endpoint. */
  readonly url: string;
  /** Returns everything that the started gateway has written to stdout so far. */
  readonly output: () => string;
}

type OnEnd = (end: () => Promise<void> | void) => void;

/** What the gateway is built from. */
export const sources = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
/** Folders that no copy needs: `node_modules` is a link, and the others are made by the copy itself. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.data']);

/**
 * @param paths files and folders to copy; `.` copies the whole repository. Default: what the gateway is built from
 * @param onEnd called with what deletes the copy and stops its gateways. Default: they live as long as the test
 */
export function createScratchCopy(
  paths: readonly string[] = sources,
  onEnd: OnEnd = onTestFinished,
): ScratchCopy {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'study-gateway-copy-')));
  onEnd(() => rmSync(root, { recursive: true, force: true }));
  const filter = (path: string): boolean => !LEFT_OUT.has(basename(path));
  for (const path of paths) cpSync(path, join(root, path), { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  let built: Promise<unknown> | undefined;
  // A build that outlasts its test would write into the deleted folder, and so make it again.
  onEnd(async () => void (await built?.catch(() => {})));

  return {
    root,
    edit(path, change) {
      const file = join(root, path);
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    },
    async start(studyApiUrl, environment = {}, script = 'dist/main.js') {
      const compiler = 'node_modules/typescript/bin/tsc';
      built ??= run(root, process.execPath, [compiler, '-p', 'tsconfig.build.json']);
      await built;
      return startBuilt(root, script, { ...environment, STUDY_API_URL: studyApiUrl }, onEnd);
    },
  };
}

async function startBuilt(
  root: string,
  script: string,
  environment: Readonly<Record<string, string>>,
  onEnd: OnEnd,
): Promise<StartedCopy> {
  const { child, printed, kill, exit } = spawnProgram({
    script: join(root, script),
    cwd: root,
    // Code of copies would fill the cache.
    env: { NODE_COMPILE_CACHE: '', ...environment },
  });
  onEnd(async () => {
    kill('SIGTERM');
    await exit;
  });
  let stdout = '';
  child.stdout?.on('data', (text: string) => (stdout += text));
  const [, url = ''] = await printed(/^ +GraphQL +(\S+) /m);
  return { url, output: () => stdout };
}
