import { setFlagsFromString } from 'node:v8';
import { ConfigError, readConfig, type Config } from './config/config.js';
import { createLog, type Log } from './process/log.js';
import { endInOrder, exit } from './process/shutdown.js';
import { logStart } from './process/start-log.js';

/** `engines` in package.json. */
const OLDEST_NODE = [22, 19] as const;

function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `It needs Node ${OLDEST_NODE.join('.')} or later, and this is ${version}. ` +
      'npm start, or npx node dist/main.js, run the Node that npm ci has installed beside it.',
  );
}

/**
 * What a request makes ends with it. But while the young generation is still small, under the first load, most of it
 * survives each collection; V8 would allocate such objects in the old generation from then on, which costs up to a third
 * more CPU and 90 MB. Is called after the imports: with other flags V8 refuses what Node has compiled of its own ahead.
 */
function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

async function run(config: Config, log: Log): Promise<void> {
  logStart(log.logger, config, process.env);
  const command = process.argv[2];
  if (command !== undefined && command !== 'emulator')
    throw new ConfigError(
      `"${command}" is no command: there is "emulator", or none for the gateway.`,
    );

  // Loaded only now: an old Node would fail on what it imports, with an error that helps nobody.
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
  checkNode(process.versions.node);
  const config = readConfig(process.env);
  log = await createLog(config);
  await run(config, log);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`study-gateway cannot start.\n${error.message}\n`);
  process.exitCode = 1;
  if (log) await exit(log);
}
