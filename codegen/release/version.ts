// Writes the version of package.json to all other places that have it, and makes of what is unreleased this release. `npm
// version 1.2.3` runs this script. With `--check` it only compares the places; with `--check v1.2.3` also the tag and what
// was unreleased. Node runs this script as it is.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '../..'));

type Change = (text: string) => string;

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

const { version }: { version: string } = JSON.parse(read('package.json'));
const manifests = ['package.json', ...globSync('packages/*/package.json')];
const ours = new Set(
  manifests.map((path) => {
    const { name }: { name: string } = JSON.parse(read(path));
    return name;
  }),
);

function setVersion(manifest: Manifest): void {
  manifest.version = version;
  for (const name of Object.keys(manifest.dependencies ?? {}))
    if (ours.has(name)) manifest.dependencies![name] = version;
}

function toJson(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

const inManifest: Change = (text) => {
  const manifest: Manifest = JSON.parse(text);
  setVersion(manifest);
  return toJson(manifest);
};

const inLock: Change = (text) => {
  const lock: Manifest & { packages: Record<string, Manifest> } = JSON.parse(text);
  lock.version = version;
  for (const folder of manifests.map((path) => path.replace(/\/?package\.json$/, '')))
    setVersion(lock.packages[folder]!);
  return toJson(lock);
};

const inNames: Change = (text) =>
  text.replaceAll(
    /\b((?:study-gateway(?:-[a-z]+)?|rest-outcome)-)\d[\w.-]*?(?=\.tgz)/g,
    `$1${version}`,
  );

/** Changes of the files that always have the version of package.json. */
const places: readonly (readonly [path: string, change: Change])[] = [
  ...manifests.map((path) => [path, inManifest] as const),
  ['package-lock.json', inLock],
  ...globSync('{README.md,docs/*.md,packages/*/README.md}').map((path) => [path, inNames] as const),
  ...[
    ['deploy/helm/study-gateway/Chart.yaml', /(?<=^(?:version|appVersion): ).*/gm] as const,
    ['deploy/helm/study-gateway/values.yaml', /(?<=^ +tag: ').*(?=')/gm] as const,
    ['deploy/kubernetes/kustomization.yaml', /(?<=^ +newTag: ').*(?=')/gm] as const,
    ['packages/contract/src/to-openapi.ts', /(?<=^ +version: ').*(?=')/gm] as const,
    ['schema/study-api.openapi.json', /(?<=^ {4}"version": ").*(?=")/m] as const,
  ].map(([path, old]) => [path, (text: string) => text.replace(old, version)] as const),
];

/** Changes that make a release of what is unreleased. */
const releases: typeof places = [
  [
    'CHANGELOG.md',
    (text) =>
      text.includes(`\n## [${version}] - `)
        ? text
        : text.replace(
            '## [Unreleased]\n',
            `## [Unreleased]\n\n## [${version}] - ${new Date().toISOString().slice(0, 10)}\n`,
          ),
  ],
  ['schema/released.json', () => toJson({ version, ...JSON.parse(read('schema/stable.json')) })],
];

const [command, tag] = process.argv.slice(2);
const all = command === '--check' && !tag ? places : [...places, ...releases];
const changed = all
  .map(([path, change]) => ({ path, before: read(path), after: change(read(path)) }))
  .filter(({ before, after }) => before !== after);
if (command === '--check') {
  const wrong = changed.map(({ path }) => `${path} is not that of version ${version}.`);
  if (tag && tag !== `v${version}`) wrong.push(`The tag ${tag} is not v${version}.`);
  process.stderr.write(wrong.map((line) => `${line}\n`).join(''));
  process.exitCode = wrong.length > 0 ? 1 : 0;
} else for (const { path, after } of changed) writeFileSync(path, after);
