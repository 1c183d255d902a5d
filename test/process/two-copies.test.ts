import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { createDirectory, startProgram, toPreload } from '../support/process.js';

/** Creates an installation of the built gateway with a copy of one package; all other packages are links. */
function installWithCopy(copied: string): string {
  const directory = createDirectory();
  for (const name of ['dist', 'package.json'])
    cpSync(name, join(directory, name), { recursive: true });
  mkdirSync(join(directory, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    const target = join(directory, 'node_modules', name);
    if (name === copied) cpSync(join('node_modules', name), target, { recursive: true });
    else symlinkSync(resolve('node_modules', name), target);
  }
  return directory;
}

it('does not start with two copies of graphql, and names both', async () => {
  const directory = installWithCopy('graphql');

  const { exit } = startProgram({ script: join(directory, 'dist/main.js') });

  expect(await exit).toMatchObject({
    code: 1,
    stderr:
      'study-gateway cannot start.\n' +
      `Install graphql once: type-graphql uses ${resolve('node_modules/graphql/index.js')}, ` +
      `the gateway ${join(directory, 'node_modules/graphql/index.js')}.\n`,
  });
});

it('does not start when another copy of type-graphql was loaded before', async () => {
  const copy = join(installWithCopy('type-graphql'), 'node_modules/type-graphql/build');
  const url = pathToFileURL(join(copy, 'esm/index.js')).href;
  const nodeArgs = toPreload(`import { getMetadataStorage } from '${url}'; getMetadataStorage();`);

  const { exit } = startProgram({ nodeArgs });

  expect(await exit).toMatchObject({
    code: 1,
    stderr:
      'study-gateway cannot start.\n' +
      `Install type-graphql once: ${resolve('node_modules/type-graphql/build/cjs/index.js')} is the second.\n`,
  });
});
