import { readFileSync } from 'node:fs';
import type { GraphQLNamedType, GraphQLSchema, GraphQLType } from 'graphql';
import { failures, type Failure } from '../packages/rest-outcome/src/index.js';
import { listPackages } from './exports.js';

const builtIn = /^__|^(?:Boolean|Float|ID|Int|String)$/;
const contract = 'packages/contract/contract.schema.json';

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
  const stable: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(
      Object.entries(schema.getTypeMap())
        .filter(([name]) => !builtIn.test(name))
        .map(([name, type]) => [name, listType(type)]),
    ),
    'environment variables': listTable('docs/configuration.md', 'Variable', ['Default']),
    'codes and outcomes': listCodes(),
    'members of extensions': listTable('docs/errors.md', 'Extension', []),
    metrics: listTable('docs/operations.md', 'Metric', ['Type', 'Labels']),
    'exit codes': listTable('docs/operations.md', 'What happens', [], 'Exit code'),
    'record of a key': [...listTable('docs/idempotency.md', 'What', []), ...listRecord()],
    [contract]: listContract(JSON.parse(read(contract))),
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
      const detail = details.map((name) => toCodes(at(name)).join(', ') || at(name)).join(' ');
      return toCodes(at(column)).map((name) => `${name} ${detail}`.trim());
    });
  });
}

/** Lists each code with its outcomes, and the reasons. */
function listCodes(): string[] {
  const rows = Object.values<Failure>(failures);
  const ofCalls = rows.flatMap(({ code, outcome }) => {
    const outcomes = outcome === 'as-done' ? ['APPLIED', 'UNKNOWN'] : [outcome];
    return outcomes.map((one) => `${code} ${one}`);
  });
  const reasons = rows.flatMap(({ reason }) => reason ?? []);
  const others = listTable('docs/errors.md', 'What happened', ['`outcome`'], '`code`');
  return [...ofCalls, ...reasons, ...others];
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
