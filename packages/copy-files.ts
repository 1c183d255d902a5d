// The last step of a package's build: copies the given files of the repository. The copies are not tracked by git.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

for (const path of process.argv.slice(2)) cpSync(join(import.meta.dirname, '..', path), path);
