import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import manifest from '../../package.json' with { type: 'json' };
import { root, run } from '../support/run.js';

const consumers = join(import.meta.dirname, 'projects');
const quick = ['--no-audit', '--no-fund', '--no-update-notifier'];
const impatient = ['--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=2000'];

/** Makes a folder outside the repository for the files that `npm pack` makes of what is built. */
export function createFolder(): string {
  for (const built of ['dist/main.js', 'packages/client/dist/index.js'])
    if (!existsSync(join(root, built)))
      throw new Error(`${built} is missing. Run "npm run build" first.`);
  return mkdtempSync(join(tmpdir(), 'study-gateway-packages-'));
}

/** Path of the packed file of a package. */
export function toPacked(directory: string, name: string): string {
  return join(directory, `${name}-${manifest.version}.tgz`);
}

/** An empty project in `directory`. */
export function createProject(directory: string): string {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  return directory;
}

/** A project with the consumers' sources. */
export function createConsumers(directory: string): string {
  createProject(directory);
  cpSync(consumers, directory, { recursive: true });
  return directory;
}

/** Copies files and folders of examples/recipes, each without the folders above it. */
export function copyRecipes(directory: string, ...names: readonly string[]): void {
  for (const name of names)
    cpSync(join(root, 'examples/recipes', name), join(directory, basename(name)), {
      recursive: true,
    });
}

/** The versions of this repository, for those that `versions` does not name. */
export function toSpecs(names: readonly string[], versions: Record<string, string> = {}): string[] {
  const own: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
  return names.map((name) => `${name}@${versions[name] ?? own[name]}`);
}

/** Installs from the cache of npm, or from the registry where the cache is older than what a package asks for. */
export async function install(directory: string, specs: readonly string[], ...flags: string[]) {
  const options = [...quick, ...impatient, '--ignore-scripts', ...flags];
  const from = (place: string) => run(directory, 'npm', ['install', place, ...options, ...specs]);
  await from('--prefer-offline')
    .catch(() => from('--prefer-online'))
    .catch((error: unknown) => {
      throw new Error('npm install failed; this test needs the npm registry.', { cause: error });
    });
}

/** Paths of the packages in the lock file, without the project itself. */
export function readLocked(directory: string): string[] {
  const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'));
  return Object.keys(lock.packages).filter(Boolean);
}

export interface Bundle {
  readonly code: string;
  /** Bytes of the minified code. */
  readonly bytes: number;
  /** Its modules of the package, as paths inside the package. */
  readonly modules: readonly string[];
  /** What it imports of other packages. */
  readonly imports: readonly string[];
}

/** What Vite makes of a module with this `source` in the project: the package's part alone, minified. */
export async function bundle(directory: string, source: string): Promise<Bundle> {
  const entry = join(directory, 'entry.js');
  writeFileSync(entry, source);
  const external = (id: string) => !/^[./]|^study-gateway-client/.test(id);
  const { code, moduleIds, imports } = await buildChunk(directory, entry, external);
  const inside = join(directory, 'node_modules/study-gateway-client/');
  return {
    code,
    bytes: Buffer.byteLength(code),
    modules: moduleIds.filter((id) => id !== entry).map((id) => id.replace(inside, '')),
    imports,
  };
}

/** The code that Vite makes of the file `entry` with everything that it imports. */
export async function bundleAll(directory: string, entry: string): Promise<string> {
  return (await buildChunk(directory, join(directory, entry))).code;
}

async function buildChunk(
  root: string,
  entry: string,
  external: Rolldown.ExternalOption = [],
): Promise<Rolldown.OutputChunk> {
  const outputs = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      // `lib` keeps the names of exports; Vite leaves white space in ES modules of libraries.
      minify: true,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external, output: { minify: true } },
    },
  });
  const [output] = Array.isArray(outputs) ? outputs : [];
  const [chunk] = output?.output ?? [];
  if (!chunk) throw new Error('Vite built nothing.');
  return chunk;
}

export function remove(directory: string): void {
  rmSync(directory, { recursive: true });
}
