import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that tests run and npm cannot install. Such tests carry its name as a tag. */
export interface Tool {
  readonly name: string;
  /** Found in PATH, or where this path says. */
  readonly program: string;
  readonly debianPackage: string;
  /** The group of tests. */
  readonly tests: string;
}

/** Debian's path; elsewhere, CHROMIUM names another. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const tools: readonly Tool[] = [
  {
    name: 'redis',
    program: 'redis-server',
    debianPackage: 'redis-server',
    tests: 'state that gateways share in Redis',
  },
  {
    name: 'nginx',
    program: 'nginx',
    debianPackage: 'nginx',
    tests: 'several gateways behind nginx',
  },
  {
    name: 'promtool',
    program: 'promtool',
    debianPackage: 'prometheus',
    tests: 'alerts and metrics by promtool',
  },
  {
    name: 'chromium',
    program: chromiumPath,
    debianPackage: 'chromium',
    tests: 'pages in a browser',
  },
  {
    name: 'curl',
    program: 'curl',
    debianPackage: 'curl',
    tests: 'the curl lines of the documents',
  },
  {
    name: 'script',
    program: 'script',
    debianPackage: 'bsdutils',
    tests: 'a terminal that stalls',
  },
];

/** Looks in the directories of `path`. */
export function findMissing(path = process.env['PATH'] ?? ''): Tool[] {
  return tools.filter(
    ({ program }) =>
      !(program.includes('/') ? [''] : path.split(delimiter)).some((folder) =>
        isExecutable(join(folder, program)),
      ),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** "alerts and metrics by promtool (promtool), …", and the line that installs the programs. */
export function describeMissing(missing: readonly Tool[]): string {
  const groups = missing.map(({ name, tests }) => `${tests} (${name})`);
  const packages = missing.map(({ debianPackage }) => debianPackage);
  return `Not run: ${groups.join('; ')}. To run them: sudo apt-get install -y ${packages.join(' ')}`;
}
