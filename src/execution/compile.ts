import { irregular } from './irregular.js';

/** All that a name may be made of (GraphQL §2.1.9). */
const NAME = /^[_A-Za-z]\w*$/;

/**
 * A function of one object, from code that may use what `scope` names. In a loop over names each read and each write
 * of a property would be looked up in a table that the whole process shares: that took a third of the time that an
 * operation spends in Apollo.
 *
 * @param names all that the code has from outside
 * @throws `irregular` when one is no name of GraphQL's, so that nothing else can become code
 */
export function compile(
  body: string,
  names: readonly string[],
  scope: Readonly<Record<string, unknown>>,
): (object: Readonly<Record<string, unknown>>) => object {
  if (!names.every((name) => NAME.test(name))) throw irregular;
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- made of names alone, which are checked
  const create = new Function(...Object.keys(scope), `return (object) => { ${body} };`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the line above returns
  return create(...Object.values(scope)) as never;
}
