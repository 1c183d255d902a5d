// Reads npm's SBOM from stdin, and writes it to stdout with true marks of what is for development only: npm takes the mark of
// one copy of a package for all copies. Fails if a package of the lock file is missing. Node runs this script as it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  properties: readonly { readonly name: string }[];
}

interface Locked {
  readonly name?: string;
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
);
const sbom: { components: readonly Component[] } = JSON.parse(readFileSync(0, 'utf8'));

/** Whether a package is for development only, by its name and version. */
const isDevelopment = new Map<string, boolean>();
for (const [path, { name = '', version, dev = false, link }] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || link) continue;
  const id = `${name || path.replace(/^.*node_modules\//, '')}@${version}`;
  isDevelopment.set(id, dev && isDevelopment.get(id) !== false);
}
const listed = new Set<string>();
for (const component of sbom.components) {
  const { group, name, version, properties } = component;
  const id = `${group ? `${group}/` : ''}${name}@${version}`;
  listed.add(id);
  if (isDevelopment.get(id) === false)
    component.properties = properties.filter((one) => one.name !== 'cdx:npm:package:development');
}
const missing = [...isDevelopment.keys()].filter((id) => !listed.has(id));
if (missing.length > 0) throw new Error(`The SBOM lacks ${missing.join(', ')}.`);
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
