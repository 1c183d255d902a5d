import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { ConfigError } from '../config/config.js';

const manifest: { readonly version: string; readonly engines: { readonly node: string } } =
  createRequire(import.meta.url)('../../package.json');

/** The version in package.json, which lies beside both `src/` and `dist/`. */
export const { version } = manifest;

/** @throws ConfigError when `node` is an older version than `engines` in package.json allows */
export function assertNode(node: string): void {
  const oldest = manifest.engines.node.replace('>=', '');
  if (node.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  throw new ConfigError(
    `It needs Node ${oldest} or later, and this is ${node}. In the repository, npm start uses the Node that npm ci has installed.`,
  );
}

/**
 * Makes V8 allocate every object in the young generation. Under the first load the young generation is still small, so
 * most objects of a request survive a minor GC. V8 would conclude that such objects live long and allocate them in the
 * old generation, which costs up to a third more CPU and 90 MB of heap.
 *
 * Call after all imports: changed flags invalidate Node's code cache.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
