import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that tests need and npm cannot install. Tests that need the program have its name as a tag. */
export interface Tool {
  readonly name: string;
  /** Description of the tests that need the program. */
  readonly tests: string;
  /** Name of the program in PATH, or its absolute path. Default: the name. */
  readonly program?: string;
  /** Absolute paths of what else the tests need, such as the modules of an interpreter. */
  readonly files?: readonly string[];
  /** Names of Debian packages, separated by spaces. Default: the name. */
  readonly debianPackage?: string;
}

/** Path of Chromium: the variable CHROMIUM, else Debian's path. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Path of Firefox: the variable FIREFOX, else Debian's path. */
export const firefoxPath = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';
/** Path of the Python that has Debian's modules: the variable PYTHON, else Debian's path. */
export const pythonPath = process.env['PYTHON'] ?? '/usr/bin/python3';

export const tools: readonly Tool[] = [
  { name: 'redis', program: 'redis-server', debianPackage: 'redis-server', tests: 'shared state' },
  { name: 'nginx', tests: 'several gateways behind nginx' },
  { name: 'promtool', debianPackage: 'prometheus', tests: 'alerts and metrics' },
  { name: 'chromium', program: chromiumPath, tests: 'pages in a browser' },
  {
    name: 'firefox',
    program: firefoxPath,
    debianPackage: 'firefox-esr',
    tests: 'pages in Firefox',
  },
  { name: 'curl', tests: 'the curl lines of the documents' },
  { name: 'openssl', tests: 'certificates' },
  { name: 'bash', tests: 'scripts of the release' },
  { name: 'coreutils', program: 'mkfifo', tests: 'a stalled log, and the commands for systemd' },
  {
    name: 'fastapi',
    program: pythonPath,
    files: ['/usr/lib/python3/dist-packages/fastapi', '/usr/lib/python3/dist-packages/uvicorn'],
    debianPackage: 'python3-fastapi python3-uvicorn',
    tests: 'a Study API on FastAPI',
  },
  { name: 'systemd-analyze', debianPackage: 'systemd', tests: 'the unit for systemd' },
];

/** Returns the tools whose programs are not found in the directories of `path`, or whose other files are missing. */
export function findMissing(path = process.env['PATH'] ?? ''): Tool[] {
  return tools.filter(
    ({ name, program = name, files = [] }) =>
      !files.every((file) => existsSync(file)) ||
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

/** Lists the tests that cannot run, such as "alerts and metrics (promtool)", and the install command. */
export function describeMissing(missing: readonly Tool[]): string {
  const groups = missing.map(({ name, tests }) => `${tests} (${name})`);
  const packages = missing.map(({ name, debianPackage = name }) => debianPackage);
  return `Not run: ${groups.join('; ')}. To run them: sudo apt-get install -y ${packages.join(' ')}`;
}
