import { GraphQLError, GraphQLScalarType } from 'graphql';
import { withoutStack } from '../stack-traces.js';
import { toLiteralParser } from './literal-parser.js';

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether `value` is a UUID of any version in its 36-character form, in any letter case. */
function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID_PATTERN.test(value);
}

function toUuid(value: unknown): string {
  if (isUuid(value)) return value;
  throw withoutStack(
    () =>
      new GraphQLError(
        'A UUID is a string of 36 characters such as "123e4567-e89b-12d3-a456-426614174000".',
      ),
  );
}

/**
 * GraphQL scalar `UUID`. Accepts only the 36-character form, and passes the text on unchanged: the path of a REST call
 * can thus contain only hexadecimal digits and hyphens. `UUID` of graphql-scalars would also accept and strip braces.
 */
export const UuidScalar = new GraphQLScalarType<string, unknown>({
  name: 'UUID',
  description:
    'A UUID in its 36-character form. It is checked, and passed on in the letter case it came in.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  parseValue: toUuid,
  parseLiteral: toLiteralParser(toUuid),
  // study.wire.ts has already checked the value while reading the answer.
  serialize: (value) => value,
  extensions: { codegenScalarType: 'string' },
});
