#!/usr/bin/env node
import { ConfigError, readConfig, type Config } from './config/config.js';
import { createLog, type Log } from './process/log.js';
import { checkNodeVersion } from './process/node-version.js';
import { endInOrder, exit } from './process/shutdown.js';
import { logStart } from './process/start-log.js';
import { disablePretenuring } from './process/v8.js';

async function run(config: Config, log: Log): Promise<void> {
  logStart(log.logger, config, process.env);
  const command = process.argv[2];
  if (command !== undefined && command !== 'emulator')
    throw new ConfigError(
      `"${command}" is not a command. Use "emulator", or no command to start the gateway.`,
    );

  // Imported after the check of Node's version, because an old Node would fail on an import with an unhelpful error.
  const starting = import('./programs.js').then((programs) => {
    disablePretenuring();
    const start = command ? programs.startEmulatorProgram : programs.startGatewayProgram;
    return start(config, log.logger);
  });
  endInOrder(starting, log, config.shutdownGraceMs);
  const { banner } = await starting;
  if (!config.isProduction) log.print(banner);
}

let log: Log | undefined;
try {
  checkNodeVersion(process.versions.node);
  const config = readConfig(process.env);
  log = await createLog(config);
  await run(config, log);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`study-gateway cannot start.\n${error.message}\n`);
  process.exitCode = 1;
  if (log) await exit(log);
}
