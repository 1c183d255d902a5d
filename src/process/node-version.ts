import { ConfigError } from '../config/config.js';

/** `engines` in package.json. */
const OLDEST_NODE = [22, 19] as const;

/** @throws ConfigError on a version of Node older than `engines` in package.json allows */
export function checkNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `It needs Node ${OLDEST_NODE.join('.')} or later, and this is ${version}. ` +
      'npm start, or npx node dist/main.js, run the Node that npm ci has installed beside it.',
  );
}
