import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql';
import { Directive } from 'type-graphql';

/** The directive of the nullability specification, version 0.4: https://specs.apollo.dev/nullability/v0.4. */
export const semanticNonNull = new GraphQLDirective({
  name: 'semanticNonNull',
  description:
    'The field is `null` only beside an error at that field. A client that throws on errors may take it for non-null.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      defaultValue: [0],
      description: '0 is the field, 1 an item of its list.',
    },
  },
});

/**
 * Marks a nullable field that is `null` only beside an error at the field. The field must stay nullable in `@Field`.
 *
 * @param levels 0 is the field, 1 an item of its list
 */
export function SemanticNonNull(
  levels: readonly number[] = [0],
): MethodDecorator & PropertyDecorator {
  const isDefault = levels.length === 1 && levels[0] === 0;
  return Directive(
    isDefault ? '@semanticNonNull' : `@semanticNonNull(levels: [${levels.join(', ')}])`,
  );
}
