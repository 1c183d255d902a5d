import { buildSchema } from 'graphql';
import { Directive } from 'type-graphql';

/** The directive of the nullability specification, version 0.4: https://specs.apollo.dev/nullability/v0.4. */
export const semanticNonNull = buildSchema(`
  "The field is \`null\` only together with an error for the field. A client that throws on errors may treat the field as non-null."
  directive @semanticNonNull(
    "0 means the field itself, 1 means the items of its list."
    levels: [Int!]! = [0]
  ) on FIELD_DEFINITION
`).getDirective('semanticNonNull')!;

/**
 * Marks a field that is `null` only together with an error for the field. The field must be nullable in `@Field`.
 *
 * @param levels 0 means the field itself, 1 means the items of its list. Default: the field itself
 */
export function SemanticNonNull(levels?: readonly number[]): MethodDecorator & PropertyDecorator {
  return Directive(`@semanticNonNull${levels ? `(levels: [${levels.join(', ')}])` : ''}`);
}
