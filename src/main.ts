#!/usr/bin/env node
import { inspect, parseArgs } from 'node:util';
import {
  ConfigError,
  readConfig,
  readProbeConfig,
  type Config,
  type ProbeConfig,
} from './config/config.js';
import { createLog, type Log } from './process/log.js';
import { checkNodeVersion } from './process/startup-error.js';
import { endInOrder, exit } from './process/shutdown.js';
import { logStart } from './process/start-log.js';
import { disablePretenuring } from './process/runtime.js';

async function run(config: Config, log: Log): Promise<void> {
  logStart(log.logger, config, process.env);
  if (command !== undefined && command !== 'emulator')
    throw new ConfigError(
      `"${command}" is not a command. Use "emulator", "probe" or "contract", or no command to start the gateway.`,
    );

  // Import only after the check of Node's version: an old Node fails on these imports with an unhelpful error.
  const starting = import('./programs.js').then((programs) => {
    disablePretenuring();
    const start = command ? programs.startEmulatorProgram : programs.startGatewayProgram;
    return start(config, log.logger);
  });
  endInOrder(starting, log, config.http.shutdownGraceMs);
  const { banner } = await starting;
  if (!config.isProduction) log.print(banner);
}

/** Runs a command that prints a report and writes no log. */
async function report(command: 'probe' | 'contract'): Promise<void> {
  // Node would end with 1, which says that the report has bad news. One cause is a reader who closes stdout early.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`The ${command} cannot run.\n${inspect(error)}\n`);
    process.exit(2);
  });
  const { argv, env, stdout, stderr } = process;
  const args = argv.slice(3);
  const print = (text: string): void => void stdout.write(text);
  const note = (text: string): void => void stderr.write(text);
  // Imported without programs.js, which would load the whole gateway.
  if (command === 'contract') {
    const { runContract } = await import('study-gateway-contract');
    process.exitCode = await runContract(args, { print, note });
    return;
  }
  const { probe } = await import('study-gateway-probe');
  const { rest, auth } = readProbeConfig(env);
  const { deadlineMs: timeoutMs, ...api } = rest;
  const readToken = (): Promise<string> => readProbeToken(auth);
  const progress = stderr.isTTY ? note : undefined;
  const isColored = stdout.isTTY;
  process.exitCode = await probe(
    args,
    { ...api, timeoutMs, readToken },
    { print, note, progress, isColored },
  );
}

/** @throws ConfigError when no token is configured, or the token file has no valid token */
async function readProbeToken(auth: ProbeConfig['auth']): Promise<string> {
  if (auth.studyApiTokenFile !== undefined) {
    const { readTokenFile } = await import('./auth/service-token.js');
    return readTokenFile(auth.studyApiTokenFile);
  }
  if (auth.studyApiToken !== undefined) return auth.studyApiToken;
  throw new ConfigError('STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set.');
}

/** Reads the option of the command `emulator`. */
function readContractOption(): string | undefined {
  try {
    const options = { contract: { type: 'string' } } as const;
    return parseArgs({ args: process.argv.slice(3), options }).values.contract;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`Usage: emulator [--contract <file>]. ${problem}`, { cause: error });
  }
}

const command = process.argv[2];
const isReport = command === 'probe' || command === 'contract';
let log: Log | undefined;
try {
  checkNodeVersion(process.versions.node);
  if (isReport) await report(command);
  else {
    const config = readConfig(
      process.env,
      command === 'emulator' ? readContractOption() : undefined,
    );
    log = await createLog(config);
    await run(config, log);
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(
    `${isReport ? `The ${command} cannot run` : 'study-gateway cannot start'}.\n${error.message}\n`,
  );
  process.exitCode = isReport ? 2 : 1;
  if (log) await exit(log);
}
