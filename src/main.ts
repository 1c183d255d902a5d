#!/usr/bin/env node
import { inspect } from 'node:util';
import { ConfigError, readConfig, type Config } from './config/config.js';
import { createLog, type Log } from './process/log.js';
import { checkNodeVersion } from './process/startup-error.js';
import { endInOrder, exit } from './process/shutdown.js';
import { logStart } from './process/start-log.js';
import { disablePretenuring } from './process/runtime.js';

async function run(config: Config, log: Log): Promise<void> {
  logStart(log.logger, config, process.env);
  const command = process.argv[2];
  if (command !== undefined && command !== 'emulator')
    throw new ConfigError(
      `"${command}" is not a command. Use "emulator" or "probe", or no command to start the gateway.`,
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

/** Runs the probe, which prints a report and writes no log. */
async function runProbe(): Promise<void> {
  // Node would end with 1, which says that an assumption is refuted. One cause is a reader who closes stdout early.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`The probe cannot run.\n${inspect(error)}\n`);
    process.exit(2);
  });
  const { stdout, stderr } = process;
  const print = (text: string): void => void stdout.write(text);
  const note = stderr.isTTY ? (text: string): void => void stderr.write(text) : undefined;
  // Imported without programs.js, which would load the whole gateway.
  const { probe } = await import('./probe/probe.js');
  process.exitCode = await probe(process.argv.slice(3), process.env, {
    print,
    note,
    isColored: stdout.isTTY,
  });
}

const isProbe = process.argv[2] === 'probe';
let log: Log | undefined;
try {
  checkNodeVersion(process.versions.node);
  if (isProbe) await runProbe();
  else {
    const config = readConfig(process.env);
    log = await createLog(config);
    await run(config, log);
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(
    `${isProbe ? 'The probe cannot run' : 'study-gateway cannot start'}.\n${error.message}\n`,
  );
  process.exitCode = isProbe ? 2 : 1;
  if (log) await exit(log);
}
