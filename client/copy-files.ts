// The last step of the build: copies what the package shares with the gateway. The copies are not tracked by git.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const shared = [
  'LICENSE',
  'schema/introspection.json',
  'schema/schema.graphql',
  'schema/trusted-documents.json',
];

for (const path of shared) cpSync(join(root, path), join(import.meta.dirname, path));
