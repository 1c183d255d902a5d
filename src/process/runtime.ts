import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

const manifest: { readonly version: string; readonly engines: { readonly node: string } } =
  createRequire(import.meta.url)('../../package.json');

/** The version in package.json, which lies beside both `src/` and `dist/`. */
export const { version } = manifest;

/** Returns a message if `node` is an older version than `engines` in package.json allows; otherwise `undefined`. */
export function findOldNode(node: string): string | undefined {
  const oldest = manifest.engines.node.replace('>=', '');
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return (
    `It needs Node ${oldest} or later, and this is ${node}. ` +
    'In the repository, npm start and npx node use the Node that npm ci has installed.'
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
