import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { pino, type Logger } from 'pino';
import { ConfigError, readConfig, type Config } from './config.js';
import { LogBlocks } from './log-blocks.js';
import type { Running } from './programs.js';
import { logStart } from './start-log.js';

/** `engines` in package.json. */
const OLDEST_NODE = [22, 19] as const;

/** Log lines that nobody takes are kept up to so many bytes, and then dropped. */
const MAX_UNWRITTEN_LOG = 1_048_576;
/** How long the end waits for the last of them to be taken, in ms. */
const LOG_END_MS = 500;
/** Ctrl-C under npm may come twice, from the terminal and from npm: within so many ms they are one. */
const SAME_SIGNAL_MS = 1_000;
/** What closing may take beyond the grace, in ms. */
const STOP_MARGIN_MS = 1_000;

function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `It needs Node ${OLDEST_NODE.join('.')} or later, and this is ${version}. ` +
      'npm start, or npx node dist/main.js, run the Node that npm ci has installed beside it.',
  );
}

interface Log {
  readonly logger: Logger;
  /** Ends the process with `process.exitCode` when its last lines are written. */
  readonly exit: () => void;
}

async function createLog({ logLevel, isProduction }: Config): Promise<Log> {
  if (!isProduction && process.stdout.isTTY) {
    const { build } = await import('pino-pretty');
    const logger = pino({ level: logLevel }, build({ sync: true, ignore: 'pid,hostname' }));
    return { logger, exit: () => process.exit() };
  }
  const stdout = pino.destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN_LOG });
  // pino calls it at the exit. It tries again without end what fails, and no signal is heard meanwhile.
  stdout.flushSync = () => {};
  // A reader that has left, or a full disk: the studies go on without the log.
  let isLost = false;
  stdout.on('error', () => {
    isLost = true;
  });
  const blocks = new LogBlocks(stdout);
  const logger = pino({ level: logLevel }, blocks);
  // Nothing is left to do, and nobody has asked for the end: it could not start.
  process.once('beforeExit', () => blocks.flush());
  let isEnding = false;
  const exit = (): void => {
    if (isLost) process.exit();
    if (isEnding) return;
    isEnding = true;
    // What is written to a destination that has ended throws.
    logger.level = 'silent';
    setTimeout(() => process.exit(), LOG_END_MS);
    // Not flush: while a block is being written it waits for that one alone.
    stdout.once('close', () => process.exit());
    blocks.flush();
    stdout.end();
  };
  return { logger, exit };
}

/**
 * Ends the process once, after the requests under way: with 0 on a signal, with 1 after an exception that
 * nobody caught, or when it takes longer than the grace. A second signal ends it at once.
 *
 * @param starting may still be on its way, and may reject
 */
function endInOrder(starting: Promise<Running>, { logger, exit }: Log, graceMs: number): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    const overrun = setTimeout(() => {
      logger.fatal('stopping took longer than the grace: what was under way is cut');
      process.exitCode = 1;
      exit();
    }, graceMs + STOP_MARGIN_MS);
    overrun.unref();

    const running = await starting.catch(() => undefined);
    // It could not start: main says why, and nothing is left to stop.
    if (!running) return;
    try {
      await running.stop();
    } catch (error) {
      process.exitCode = 1;
      logger.fatal({ err: error }, 'stopping failed');
    }
    exit();
  };

  let signaledAt: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      const now = performance.now();
      signaledAt ??= now;
      if (now - signaledAt > SAME_SIGNAL_MS) {
        logger.warn({ signal }, 'ended at once by a second signal');
        process.exitCode = 128 + constants.signals[signal];
        exit();
        return;
      }
      if (!isStopping) logger.info({ signal }, 'stopping');
      void stop();
    });
  // A state that nobody foresaw, unhandled rejections too: what is under way may end, and nothing new begins.
  process.on('uncaughtException', (error, origin) => {
    process.exitCode = 1;
    logger.fatal({ err: error }, origin);
    void stop();
  });
}

/**
 * What a request makes ends with it. But while the young generation is still small, under the first load, most of it
 * survives each collection; V8 would allocate such objects in the old generation from then on, which costs up to a third
 * more CPU and 90 MB. Is called after the imports: with other flags V8 refuses what Node has compiled of its own ahead.
 */
function keepYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

async function main(): Promise<void> {
  checkNode(process.versions.node);
  const config = readConfig(process.env);
  const log = await createLog(config);
  logStart(log.logger, config, process.env);

  const command = process.argv[2];
  if (command !== undefined && command !== 'emulator')
    throw new ConfigError(
      `"${command}" is no command: there is "emulator", or none for the gateway.`,
    );

  // Loaded only now: an old Node would fail on what it imports, with an error that helps nobody.
  const starting = import('./programs.js').then((programs) => {
    keepYoung();
    const start = command ? programs.startEmulatorProgram : programs.startGatewayProgram;
    return start(config, log.logger);
  });
  endInOrder(starting, log, config.shutdownGraceMs);
  const { banner } = await starting;
  if (config.isProduction) return;
  process.stdout.on('error', () => {});
  process.stdout.write(banner);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`study-gateway cannot start.\n${error.message}\n`);
  process.exitCode = 1;
}
