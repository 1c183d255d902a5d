import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GraphQLNamedType, GraphQLSchema, GraphQLType } from 'graphql';
import { failures, type Failure } from '../packages/rest-outcome/src/index.js';

const CONTRACT = 'packages/contract/contract.schema.json';

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
}

interface Field {
  readonly name: string;
  readonly type: GraphQLType;
  readonly args?: readonly Field[];
}

/**
 * Writes `schema/stable.json`: what a release promises, by group. A line is a name, a space, and what else is promised of
 * the name. The tables of the documents are the source where other tests compare them with the code.
 */
export function plugin(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const stable: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(types.map((type) => [type.name, listType(type)])),
    'environment variables': listTable('docs/configuration.md', 'Variable', ['Default']),
    'codes and outcomes': listCodes(),
    'members of extensions': listTable('docs/errors.md', 'Extension', []),
    metrics: listTable('docs/operations.md', 'Metric', ['Type', 'Labels']),
    'exit codes': listTable('docs/operations.md', 'What happens', [], 'Exit code'),
    'record of a key': [...listTable('docs/idempotency.md', 'What', []), ...listRecord()],
    [CONTRACT]: listContract(JSON.parse(read(CONTRACT))),
    ...listPackages(),
  };
  const sorted: Record<string, readonly string[]> = {};
  for (const [group, lines] of Object.entries(stable)) {
    if (lines.length === 0) throw new Error(`Nothing was found of the group ${group}.`);
    sorted[group] = [...new Set(lines)].toSorted();
  }
  return `${JSON.stringify(sorted, null, 2)}\n`;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Lists the members of a type. */
function listType(type: GraphQLNamedType): string[] {
  if ('getValues' in type) return type.getValues().map(({ name }) => `${type.name}.${name}`);
  if (!('getFields' in type)) return [`${type.name} scalar`];
  return Object.values<Field>(type.getFields()).map((field) => {
    const args = (field.args ?? []).map((arg) => `${arg.name}: ${String(arg.type)}`).toSorted();
    return [`${type.name}.${field.name}`, ...args, String(field.type)].join(' ');
  });
}

/** Returns the texts in backticks and the numbers of a cell. */
function toCodes(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`|(?<![\w-])\d+\b/g), ([all, code]) => code ?? all);
}

/**
 * Lists the names in a column of the document's tables whose first column is `first`.
 *
 * @param details columns whose codes, or else texts, follow each name
 */
function listTable(path: string, first: string, details: readonly string[], column = first) {
  const tables = read(path).split('\n\n');
  return tables.flatMap((table) => {
    const rows = table.trim().split('\n');
    const [header = [], , ...cells] = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    if (header[1] !== first) return [];
    return cells.flatMap((row) => {
      const at = (name: string): string => row[header.indexOf(name)]?.replace('–', '') ?? '';
      const detail = details.map((name) => toCodes(at(name)).join(', ') || at(name));
      return toCodes(at(column)).map((name) => [name, ...detail].join(' ').trim());
    });
  });
}

/** Lists each code with its outcomes, and the reasons. */
function listCodes(): string[] {
  const ofCalls = Object.values<Failure>(failures).flatMap(({ code, outcome, reason }) => [
    ...(outcome === 'as-done' ? ['APPLIED', 'UNKNOWN'] : [outcome]).map((one) => `${code} ${one}`),
    ...(reason ? [reason] : []),
  ]);
  return [...ofCalls, ...listTable('docs/errors.md', 'What happened', ['`outcome`'], '`code`')];
}

/** Lists the members of the JSON that is kept of a failed call, and the values of `ending`. */
function listRecord(): string[] {
  const source = read('packages/rest-outcome/src/record.ts');
  const [, checks = ''] = /^const checks\b[^]*? = \{\n([^]*?)^\};/m.exec(source) ?? [];
  const [, kept = ''] =
    /^export type Ending = ([^;]+);/m.exec(read('packages/rest-outcome/src/failures.ts')) ?? [];
  const others = Array.from(source.matchAll(/\{ ending: ('[^']+')/g), ([, ending = '']) => ending);
  const endings = [...others, ...kept.split(' | ')].map((ending) => `ending ${ending}`);
  const members = Array.from(checks.matchAll(/^ {2}(\w+):/gm), ([, name]) => `record.${name}`);
  return [...endings, ...members];
}

/** Lists each place of a contract with the keywords of its JSON Schema, without descriptions. */
function listContract(schema: JsonSchema, path = ''): string[] {
  const { properties = {}, anyOf = [], items, additionalProperties, ...keywords } = schema;
  const own = Object.entries(keywords)
    .filter(([name]) => name !== 'description')
    .map(([name, value]) => `${name}=${JSON.stringify(value).replaceAll('"', '')}`);
  const members = [
    ...Object.entries(properties),
    ['*', items],
    ['*', additionalProperties],
  ] as const;
  return [
    ...(path ? [[path, ...own].join(' ')] : []),
    ...anyOf.flatMap((one) => listContract(one, path)),
    ...members.flatMap(([name, one]) =>
      one ? listContract(one, path ? `${path}.${name}` : name) : [],
    ),
  ];
}

/** Lists the exports of each module of the packages. The main module of a package also has its programs and files. */
function listPackages(): Record<string, string[]> {
  const modules: Record<string, string[]> = {};
  for (const path of ['package.json', ...globSync('packages/*/package.json').toSorted()]) {
    const { name, bin = {}, exports } = JSON.parse(read(path)) as Manifest;
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
  const source = read(path);
  const declared = /^export (?:async |abstract )?(?:const|function|class|interface|type) (\w+)/gm;
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().replace(/^type |^\w+ as /g, '')),
  );
  const others = [...source.matchAll(/^export (?:type )?\* from '(.+)\.js'/gm)];
  return [
    ...Array.from(source.matchAll(declared), ([, name = '']) => name),
    ...lists.filter(Boolean),
    ...others.flatMap(([, other = '']) => listExports(join(dirname(path), `${other}.ts`))),
  ];
}
