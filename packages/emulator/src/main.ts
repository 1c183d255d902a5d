#!/usr/bin/env node
// The program `study-gateway-emulator`. Its variables have the names and defaults that the gateway's emulator has.
import { parseArgs } from 'node:util';
import { startEmulator } from './index.js';

const { HOST: host, EMULATOR_PORT = '4010', EMULATOR_DB = '.data/emulator.sqlite' } = process.env;
const options = { host, port: Number(EMULATOR_PORT), database: EMULATOR_DB };
try {
  const { contract } = parseArgs({ options: { contract: { type: 'string' } } }).values;
  const { url, token, close } = await startEmulator({ ...options, contract });
  process.stdout.write(`The Study API emulator is ready at ${url}, its token is ${token}.\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
} catch (error) {
  process.stderr.write(`study-gateway-emulator cannot start.\n${String(error)}\n`);
  process.exitCode = 1;
}
