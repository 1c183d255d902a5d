import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Writes the licences and the SBOM of all packages in the bundle. */
export function writeLicences({ outputs }: Metafile): void {
  // GraphiQL is one file in each of the explorer's: its own packages are inside.
  const folders = new Set(['node_modules/@graphql-yoga/render-graphiql']);
  // esbuild lists files whose code it leaves out: they have no bytes.
  for (const [path, { bytesInOutput }] of Object.entries(outputs['bundle/gateway.js']!.inputs)) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (folder && bytesInOutput > 0) folders.add(folder);
  }
  const packages = [...folders].toSorted().map((folder) => {
    const { name, version, license }: Manifest = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const texts = globSync(join(folder, '{LICEN[CS]E,COPYING,NOTICE}*')).toSorted();
    const text = texts.map((path) => readFileSync(path, 'utf8').trim()).join('\n\n');
    return { name, version, license, text };
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
}
