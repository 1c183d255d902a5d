import { plugin as typedDocumentNode } from '@graphql-codegen/typed-document-node';

/** A document of the plugin: its constant and its syntax tree, as JSON. */
const DOCUMENT = /^export const \w+ = (\{.*\})(?= as unknown)/gm;

interface Node {
  readonly [property: string]: Part;
}

type Part = Node | readonly Part[] | string | boolean | null;

/**
 * Runs `typed-document-node`, and writes each fragment once: the plugin repeats a fragment in every document, which
 * doubles the package. The documents share constants instead of spreading arrays, so bundlers can drop unused ones.
 * Functions make the nodes that are frequent, which take half of the place otherwise.
 */
export const plugin: typeof typedDocumentNode = async (...args) => {
  const output = await typedDocumentNode(...args);
  if (typeof output === 'string') return output;
  const fragments = new Map<string, string>();
  const documents = output.content.replaceAll(DOCUMENT, (constant, json: string) => {
    const { definitions }: { definitions: readonly Node[] } = JSON.parse(json);
    const texts = definitions.map((definition) => {
      if (definition['kind'] !== 'FragmentDefinition') return print(definition);
      const name = `${toText(toName(definition))}Definition`;
      fragments.set(name, print(definition));
      return name;
    });
    return constant.replace(json, () =>
      toPure(`{ kind: 'Document', definitions: [${texts.join(', ')}] }`),
    );
  });
  const constants = Array.from(fragments, ([name, text]) => `const ${name} = ${toPure(text)};\n`);
  return { ...output, content: makers + constants.join('') + documents };
};

const makers = `const toName = (value: string) => ({ kind: 'Name', value });
const toVariable = (name: string) => ({ kind: 'Variable', name: toName(name) });
const toArgument = (name: string) => ({ kind: 'Argument', name: toName(name), value: toVariable(name) });
const toSelections = (...selections: readonly object[]) => ({ kind: 'SelectionSet', selections });
const toField = (name: string) => ({ kind: 'Field', name: toName(name) });
const toDefinition = (name: string, type: object) => ({ kind: 'VariableDefinition', variable: toVariable(name), type });
const toType = (name: string) => ({ kind: 'NamedType', name: toName(name) });
`;

/** Writes a node as an expression. An argument has the name of its variable in all operations. */
function print(part: Part): string {
  if (Array.isArray(part)) return `[${part.map(print).join(', ')}]`;
  if (!isNode(part)) return JSON.stringify(part);
  const { kind, name = null, selections = null, variable = null, value = null, type = null } = part;
  const { length } = Object.keys(part);
  if (kind === 'Name') return `toName('${toText(part)}')`;
  if (kind === 'NamedType') return `toType('${toText(name)}')`;
  if (kind === 'Variable') return `toVariable('${toText(name)}')`;
  if (kind === 'SelectionSet') return `toSelections(${print(selections).slice(1, -1)})`;
  if (kind === 'Field' && length === 2) return `toField('${toText(name)}')`;
  if (kind === 'VariableDefinition' && length === 3)
    return `toDefinition('${toText(toName(variable))}', ${print(type)})`;
  if (kind === 'Argument' && toText(name) === toText(toName(value)))
    return `toArgument('${toText(name)}')`;
  const properties = Object.entries(part).map(([key, inner]) => `${key}: ${print(inner)}`);
  return `{ ${properties.join(', ')} }`;
}

function isNode(part: Part): part is Node {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

function toName(part: Part): Part {
  return isNode(part) ? (part['name'] ?? null) : null;
}

/** The text of a name; empty for any other part. */
function toText(name: Part): string {
  return isNode(name) && typeof name['value'] === 'string' ? name['value'] : '';
}

/** Makes `text` the result of a pure call, so that bundlers can drop it. */
function toPure(text: string): string {
  return `/* @__PURE__ */ (() => (${text}))()`;
}
