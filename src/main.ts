#!/usr/bin/env node
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { ConfigError, readConfig, readDoctorConfig, type Config } from './config/config.js';
import { ArgumentError, readArguments, usage } from './process/arguments.js';
import { createLog, type Log } from './process/log.js';
import { assertNode, disablePretenuring, version } from './process/runtime.js';
import { endInOrder, exit } from './process/shutdown.js';
import { logStart } from './process/start-log.js';

/** Runs until a signal ends the program. */
async function run(command: 'gateway' | 'emulator', config: Config, log: Log): Promise<void> {
  logStart(log.logger, config, process.env);
  const starting = import('./start.js').then((start) => {
    disablePretenuring();
    const open = command === 'emulator' ? start.startEmulatorProgram : start.startGatewayProgram;
    return open(config, log.logger);
  });
  endInOrder(starting, log, config.http.shutdownGraceMs);
  const { banner } = await starting;
  if (!config.isProduction) log.print(banner);
}

/** Runs the command that makes a contract. It prints a report and writes no log. */
async function makeContract(args: readonly string[]): Promise<void> {
  // Imported without start.js, which would load the whole gateway.
  const { runContract } = await import('study-gateway-contract');
  process.exitCode = await runContract(args, (text) => void process.stderr.write(text));
}

/** Runs the command that checks a Study API. It prints a report and writes no log. */
async function checkApi(args: readonly string[]): Promise<void> {
  const { runDoctor } = await import('./doctor.js');
  const print = (text: string): void => void process.stdout.write(text);
  const confirm = async (question: string): Promise<boolean> => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    // A question is never answered if the input ends.
    const end = once(lines, 'close');
    const answer = await Promise.race([lines.question(`${question} (y/N) `), end]);
    lines.close();
    return /^y(?:es)?$/i.test(String(answer).trim());
  };
  process.exitCode = await runDoctor(readDoctorConfig(process.env), args, print, confirm);
}

let log: Log | undefined;
try {
  assertNode(process.versions.node);
  const asked = readArguments(process.argv.slice(2));
  if (asked.command === 'help') process.stdout.write(usage);
  else if (asked.command === 'version') process.stdout.write(`${version}\n`);
  else if (asked.command === 'contract') await makeContract(asked.args);
  else if (asked.command === 'doctor') await checkApi(asked.args);
  else {
    const config = readConfig(process.env);
    log = await createLog(config);
    await run(asked.command, config, log);
  }
} catch (error) {
  // Node's own error names the address or the file that cannot be used, but for SQLite's.
  const { message, syscall, code } = Object(error);
  const isSqlite = code === 'ERR_SQLITE_ERROR';
  if (error instanceof ArgumentError) {
    process.stderr.write(`study-gateway: ${message} See study-gateway --help.\n`);
    process.exitCode = 2;
  } else if (error instanceof ConfigError || syscall || isSqlite) {
    process.stderr.write(
      `study-gateway cannot start.\n${isSqlite ? 'EMULATOR_DB: ' : ''}${message}\n`,
    );
    process.exitCode = 1;
    if (log) await exit(log);
  } else throw error;
}
