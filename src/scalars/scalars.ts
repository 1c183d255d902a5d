import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type GraphQLScalarTypeConfig,
  type ValueNode,
} from 'graphql';
import { withoutStack } from 'planned-execution';
import { isDateTime, isUuid } from './formats.js';

/**
 * Creates a scalar of checked strings, which passes the text on unchanged in both directions.
 *
 * @param form what its texts are, for messages
 */
function createTextScalar(
  config: Pick<GraphQLScalarTypeConfig<string, unknown>, 'name' | 'description' | 'specifiedByURL'>,
  isValid: (text: string) => boolean,
  form: string,
): GraphQLScalarType<string, unknown> {
  const parse = (value: unknown, node: ValueNode | null = null): string => {
    if (typeof value === 'string' && isValid(value)) return value;
    throw withoutStack(() => new GraphQLError(`A ${config.name} is ${form}.`, { nodes: node }));
  };
  return new GraphQLScalarType<string, unknown>({
    ...config,
    parseValue: (value) => parse(value),
    // graphql-js reports the error of a scalar as it is: this one has the location of the literal.
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : undefined, node),
    // study/wire.ts has already checked the value while reading the answer.
    serialize: (value) => value,
    extensions: { codegenScalarType: 'string', expected: `a ${config.name}: ${form}` },
  });
}

/**
 * GraphQL scalar `UUID`. Accepts any version, but only the 36-character form: the path of a REST call can thus contain
 * only hexadecimal digits and hyphens. `UUID` of graphql-scalars would also accept and strip braces.
 */
export const UuidScalar = createTextScalar(
  {
    name: 'UUID',
    description:
      'A UUID in its 36-character form. It is checked, and passed on in the letter case it came in.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  },
  isUuid,
  'a string of 36 characters such as "123e4567-e89b-12d3-a456-426614174000"',
);

/**
 * GraphQL scalar `DateTime`: a checked string, because a `Date` would lose the offset and the microseconds. Inputs and
 * answers of the Study API pass one check, so that a client can send back what it has read.
 */
export const DateTimeScalar = createTextScalar(
  {
    name: 'DateTime',
    description:
      'A date and time of RFC 3339, whose offset may be missing: `full-date "T" partial-time [time-offset]` in the grammar of section 5.6. ' +
      'Leap seconds are refused. ' +
      'Inputs and outputs are checked; the text is passed on unchanged in both directions.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  },
  isDateTime,
  'an RFC 3339 string such as "2026-03-01T09:30:00.123456+01:00", with or without the offset',
);
