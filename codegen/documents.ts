import { plugin as typedDocumentNode } from '@graphql-codegen/typed-document-node';

/** A document of the plugin: its constant and its syntax tree, as JSON. */
const DOCUMENT = /^export const \w+ = (\{.*\})(?= as unknown)/gm;

type Node = Readonly<Record<string, unknown>>;

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
    const { definitions } = JSON.parse(json) as { definitions: readonly Node[] };
    const texts = definitions.map((definition) => {
      if (definition['kind'] !== 'FragmentDefinition') return print(definition);
      const name = `${toText(definition['name'])}Definition`;
      fragments.set(name, print(definition));
      return name;
    });
    return constant.replace(json, () => toPure(`{ kind: 'Document', definitions: [${texts}] }`));
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
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { kind, name, selections, ...others } = value as Node;
  const isBare = Object.keys(others).length === 0;
  if (kind === 'Name') return `toName('${toText(value)}')`;
  if (kind === 'VariableDefinition' && Object.keys(others).length === 2)
    return `toDefinition('${toText((others['variable'] as Node)['name'])}', ${print(others['type'])})`;
  if (kind === 'NamedType') return `toType('${toText(name)}')`;
  if (kind === 'Variable') return `toVariable('${toText(name)}')`;
  if (kind === 'Argument' && toText(name) === toText((others['value'] as Node)['name']))
    return `toArgument('${toText(name)}')`;
  if (kind === 'SelectionSet') return `toSelections(${print(selections).slice(1, -1)})`;
  if (kind === 'Field' && isBare) return `toField('${toText(name)}')`;
  const properties = Object.entries(value).map(([key, part]) => `${key}: ${print(part)}`);
  return `{ ${properties.join(', ')} }`;
}

/** The text of a name; `undefined` of any other node. */
function toText(name: unknown): string | undefined {
  return (name as { readonly value?: string } | undefined)?.value;
}

/** Makes `text` the result of a pure call, so that bundlers can drop it. */
function toPure(text: string): string {
  return `/* @__PURE__ */ (() => (${text}))()`;
}
