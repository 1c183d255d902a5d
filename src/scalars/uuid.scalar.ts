import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Tells whether `value` is a UUID of any version in its 36-character form, in any letter case. */
function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID_PATTERN.test(value);
}

function toUuid(value: unknown): string {
  if (isUuid(value)) return value;
  throw new GraphQLError(
    'A UUID is a string of 36 characters such as "123e4567-e89b-12d3-a456-426614174000".',
  );
}

/**
 * graphql-scalars' `UUID` strips braces from its input. This one takes the plain form only and passes
 * it on as it is, so that nothing but 36 known characters can reach the path of a REST call.
 */
export const UuidScalar = new GraphQLScalarType<string, unknown>({
  name: 'UUID',
  description:
    'A UUID in its 36-character form. It is checked, and passed on in the letter case it came in.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  parseValue: toUuid,
  parseLiteral: (node) => toUuid(node.kind === Kind.STRING ? node.value : undefined),
  // study.wire checked the value when it read the answer.
  serialize: (value) => value,
  extensions: { codegenScalarType: 'string' },
});
