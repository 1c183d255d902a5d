import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const consumers = fileURLToPath(new URL('../client/consumers', import.meta.url));

/** What a frontend has beside the package, in the versions of this repository. */
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

/** Less than the test's own limit, so that what was printed until then is told. */
const MAX_RUN_MS = 100_000;

export interface Project {
  readonly directory: string;
  readonly remove: () => void;
}

/** A TypeScript project with nothing but the consumers. */
export function createProject(): Project {
  const directory = mkdtempSync(join(tmpdir(), 'study-gateway-consumer-'));
  cpSync(consumers, directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  return { directory, remove: () => rmSync(directory, { recursive: true }) };
}

/** Installs the package as `npm pack` makes it of what is built, and its companions from the npm registry. */
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

/** Runs a program to its end and returns what it printed. Rejects with all of it when it fails. */
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
  /** Its modules of the package, as paths inside of it. */
  readonly modules: readonly string[];
  /** What it imports of other packages. */
  readonly imports: readonly string[];
}

/** What a bundler makes of a module of the project with this `source`. Other packages are left out of it. */
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
