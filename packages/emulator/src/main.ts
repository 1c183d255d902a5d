#!/usr/bin/env node
// The program `study-gateway-emulator`. Its variables have the names and defaults that the gateway's emulator has.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { startEmulator } from './index.js';

const usage = `Usage: study-gateway-emulator [--contract <file>]

Starts a Study API for development. It reads HOST, EMULATOR_PORT and EMULATOR_DB.
  --contract     the API keeps this contract
  -h, --help     prints this text
  -v, --version  prints the version
`;

/** Returns the options, or `undefined` for wrong arguments. */
function readArguments() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      options: {
        contract: { type: 'string' },
        help: { ...flag, short: 'h' },
        version: { ...flag, short: 'v' },
      },
    }).values;
  } catch {
    return undefined;
  }
}

async function start(contract: string | undefined): Promise<void> {
  const { HOST: host, EMULATOR_PORT = '4010', EMULATOR_DB = '.data/emulator.sqlite' } = process.env;
  const options = { host, port: Number(EMULATOR_PORT), database: EMULATOR_DB };
  try {
    const { url, token, close } = await startEmulator({ ...options, contract });
    process.stdout.write(`The Study API emulator is ready at ${url}, its token is ${token}.\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
  } catch (error) {
    process.stderr.write(`study-gateway-emulator cannot start.\n${String(error)}\n`);
    process.exitCode = 1;
  }
}

const asked = readArguments();
if (!asked) {
  process.stderr.write('Wrong arguments. See study-gateway-emulator --help.\n');
  process.exitCode = 2;
} else if (asked.help) process.stdout.write(usage);
else if (asked.version) {
  const manifest: { version: string } = createRequire(import.meta.url)('../package.json');
  process.stdout.write(`${manifest.version}\n`);
} else await start(asked.contract);
