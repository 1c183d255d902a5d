import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly bin?: object;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

/** Lists the exports of each module of the packages. The main module of a package also has its programs and files. */
export function listPackages(): Record<string, string[]> {
  const modules: Record<string, string[]> = {};
  for (const path of ['package.json', ...globSync('packages/*/package.json').toSorted()]) {
    const { name, bin = {}, exports }: Manifest = JSON.parse(readFileSync(path, 'utf8'));
    const programs = Object.keys(bin).map((program) => `${program} program`);
    const files = Object.keys(exports).filter((place) => typeof exports[place] === 'string');
    for (const [place, target] of Object.entries(exports)) {
      if (typeof target === 'string') continue;
      const source = target.default.replace('dist/', 'src/').replace(/js$/, 'ts');
      const own = place === '.' ? [...programs, ...files] : [];
      modules[join(name, place)] = [...own, ...listExports(join(dirname(path), source))];
    }
  }
  return modules;
}

function listExports(path: string): string[] {
  const source = readFileSync(path, 'utf8');
  const declared = /^export (?:async |abstract )?(?:const|function|class|interface|type) (\w+)/gm;
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().replace(/^type |^\w+ as /g, '')),
  );
  const others = [...source.matchAll(/^export (?:type )?\* from '(.+)\.js'/gm)];
  const inner = others.flatMap(([, name = '']) => listExports(join(dirname(path), `${name}.ts`)));
  const own = Array.from(source.matchAll(declared), ([, name = '']) => name);
  return [...own, ...lists.filter(Boolean), ...inner];
}
