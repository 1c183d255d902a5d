import { plugin as typedDocumentNode } from '@graphql-codegen/typed-document-node';

const FRAGMENT = /^export const (\w+)FragmentDoc = (\{.*\}) as unknown/gm;

/**
 * Runs `typed-document-node`, and writes each fragment once: the plugin repeats a fragment in every document, which
 * doubles the package. The documents share constants instead of spreading arrays, so bundlers can drop unused ones.
 */
export const plugin: typeof typedDocumentNode = async (...args) => {
  const output = await typedDocumentNode(...args);
  if (typeof output === 'string') return output;
  const fragments = [...output.content.matchAll(FRAGMENT)].map(([, name, json = '']) => ({
    name: `${name}Definition`,
    text: JSON.stringify(JSON.parse(json).definitions[0]),
  }));
  const documents = fragments.reduce(
    (content, { name, text }) => content.replaceAll(text, name),
    output.content,
  );
  const definitions = fragments.map(({ name, text }) => `const ${name} = ${text};\n`);
  return { ...output, content: definitions.join('') + documents };
};
