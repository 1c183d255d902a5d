import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const consumers = fileURLToPath(new URL('../client/consumers', import.meta.url));

/** Versions of the packages in this repository's package.json, by name. */
const versions: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
const companions = [
  '@apollo/client',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  '@urql/core',
  'graphql',
  'graphql-request',
  'react',
  'react-dom',
  'rxjs',
  'typescript',
].map((name) => `${name}@${versions[name]}`);

/** Timeout of a child process. Shorter than the test's timeout, so that the error shows the output of the process. */
const MAX_RUN_MS = 100_000;

export interface Project {
  readonly directory: string;
  readonly remove: () => void;
}

/** Creates a TypeScript project that holds only copies of the consumers in `test/client/consumers`. */
export function createProject(): Project {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-consumer-'));
  cpSync(consumers, directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}

/** Packs the built package with `npm pack`, and installs it together with its companions from the npm registry. */
export async function installPackage({ directory }: Project): Promise<void> {
  if (!existsSync(join(root, 'dist/client/index.js')))
    throw new Error('dist/client is missing. Run "npm run build" first.');
  await run(root, 'npm', ['pack', '--ignore-scripts', '--pack-destination', directory]);
  const tarball = readdirSync(directory).find((name) => name.endsWith('.tgz'));
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  const impatient = ['--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'];
  await run(directory, 'npm', [
    'install',
    ...quick,
    ...impatient,
    `./${tarball}`,
    ...companions,
  ]).catch((error: unknown) => {
    throw new Error('The package could not be installed; this test needs the npm registry.', {
      cause: error,
    });
  });
}

/** Runs a program to its end, and returns its stdout. Rejects with its stdout and stderr if the program fails. */
export function run(directory: string, file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd: directory, timeout: MAX_RUN_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${[file, ...args].join(' ')} failed:\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

export interface Bundle {
  readonly code: string;
  /** Paths of the bundled modules, relative to the study-gateway package. */
  readonly modules: readonly string[];
  /** Specifiers of the other packages that the bundle imports. */
  readonly imports: readonly string[];
}

/** Bundles a module of the project with this `source` by Vite. Packages other than study-gateway stay imports. */
export async function bundle({ directory }: Project, source: string): Promise<Bundle> {
  const entry = join(directory, 'entry.js');
  writeFileSync(entry, source);
  const outputs = await build({
    root: directory,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external: (id) => !/^[./]|^study-gateway\//.test(id) },
    },
  });
  const [output] = Array.isArray(outputs) ? outputs : [];
  const [chunk] = output?.output ?? [];
  if (!chunk) throw new Error('Vite built nothing.');
  const inside = join(directory, 'node_modules/study-gateway/');
  return {
    code: chunk.code,
    modules: chunk.moduleIds.filter((id) => id !== entry).map((id) => id.replace(inside, '')),
    imports: chunk.imports,
  };
}
