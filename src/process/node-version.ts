/** Major and minor version of the oldest supported Node, as in `engines` of package.json. */
const OLDEST_NODE = [22, 19] as const;

/** Returns a message if `version` of Node is older than `engines` in package.json allows; otherwise `undefined`. */
export function findOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return (
    `It needs Node ${OLDEST_NODE.join('.')} or later, and this is ${version}. ` +
    'In the repository, npm start and npx node use the Node that npm ci has installed.'
  );
}
