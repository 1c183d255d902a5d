#!/usr/bin/env node
import { inspect } from 'node:util';
import type { Config, ProbeConfig } from './config/config.js';
import type { ReportCommand } from './process/arguments.js';
import type { Log } from './process/log.js';
import { findOldNode } from './process/node-version.js';

const oldNode = findOldNode(process.versions.node);
if (oldNode !== undefined) {
  process.stderr.write(`study-gateway cannot start.\n${oldNode}\n`);
  process.exit(1);
}

// Imported only now: an old Node fails on these imports, with an error that does not tell the reason.
const { ConfigError, readConfig, readProbeConfig } = await import('./config/config.js');
const { ArgumentError, readArguments, usage } = await import('./process/arguments.js');
const { createLog } = await import('./process/log.js');
const { endInOrder, exit } = await import('./process/shutdown.js');
const { logStart } = await import('./process/start-log.js');
const { disablePretenuring, version } = await import('./process/runtime.js');

/** Runs until a signal ends the program. */
async function run(command: 'gateway' | 'emulator', config: Config, log: Log): Promise<void> {
  logStart(log.logger, config, process.env);
  const starting = import('./programs.js').then((programs) => {
    disablePretenuring();
    const start =
      command === 'emulator' ? programs.startEmulatorProgram : programs.startGatewayProgram;
    return start(config, log.logger);
  });
  endInOrder(starting, log, config.http.shutdownGraceMs);
  const { banner } = await starting;
  if (!config.isProduction) log.print(banner);
}

/** Runs a command that prints a report and writes no log. */
async function report(command: ReportCommand, args: readonly string[]): Promise<void> {
  // Node would end with 1, which says that the report has bad news. One cause is a reader who closes stdout early.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`The ${command} cannot run.\n${inspect(error)}\n`);
    process.exit(2);
  });
  const { env, stdout, stderr } = process;
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

/** Prints how the program is used, or one of its reports. */
async function help(command: ReportCommand | undefined): Promise<void> {
  const reports = {
    probe: () => import('study-gateway-probe'),
    contract: () => import('study-gateway-contract'),
  };
  process.stdout.write(command ? `${(await reports[command]()).usage}\n` : usage);
}

let log: Log | undefined;
let reporting: ReportCommand | undefined;
try {
  const asked = readArguments(process.argv.slice(2));
  if (asked.command === 'help') await help(asked.of);
  else if (asked.command === 'version') process.stdout.write(`${version}\n`);
  else if ('args' in asked) await report((reporting = asked.command), asked.args);
  else {
    const config = readConfig(process.env, 'contract' in asked ? asked.contract : undefined);
    log = await createLog(config);
    await run(asked.command, config, log);
  }
} catch (error) {
  if (error instanceof ArgumentError) {
    process.stderr.write(`study-gateway: ${error.message} See study-gateway --help.\n`);
    process.exitCode = 2;
  } else if (error instanceof ConfigError) {
    const failed = reporting ? `The ${reporting} cannot run` : 'study-gateway cannot start';
    process.stderr.write(`${failed}.\n${error.message}\n`);
    process.exitCode = reporting ? 2 : 1;
    if (log) await exit(log);
  } else throw error;
}
