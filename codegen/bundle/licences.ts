// Writes the licences and the SBOM of all packages in the bundle. Node runs this script as it is.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '../..'));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface Metafile {
  /** Inputs by path. esbuild lists files whose code it leaves out: they have no bytes. */
  readonly outputs: Readonly<
    Record<string, { inputs: Readonly<Record<string, { bytesInOutput: number }>> }>
  >;
}

const { outputs }: Metafile = JSON.parse(readFileSync('bundle/metafile.json', 'utf8'));
rmSync('bundle/metafile.json');

const folders = new Set<string>();
for (const [path, { bytesInOutput }] of Object.entries(outputs['bundle/gateway.js']!.inputs)) {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
  if (folder && bytesInOutput > 0) folders.add(folder);
}
// GraphiQL is one file in each of the explorer's: its own packages are inside.
folders.add('node_modules/@graphql-yoga/render-graphiql');

const packages = [...folders].toSorted().map((folder) => {
  const { name, version, license }: Manifest = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const texts = globSync(join(folder, '{LICEN[CS]E,COPYING,NOTICE}*')).toSorted();
  return {
    name,
    version,
    license,
    text: texts.map((path) => readFileSync(path, 'utf8').trim()).join('\n\n'),
  };
});

const rule = '-'.repeat(80);
const notes = packages.map(({ name, version, license, text }) =>
  `${rule}\n${name} ${version} (${license})\n\n${text}`.trimEnd(),
);
writeFileSync('bundle/licences.txt', `${notes.join('\n\n')}\n`);

const components = packages.map(({ name, version, license }) => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  licenses: [{ expression: license }],
}));
const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components };
writeFileSync('bundle/sbom.cyclonedx.json', `${JSON.stringify(sbom, null, 2)}\n`);
