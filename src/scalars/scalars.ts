import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { withoutStack } from '../rest/stackless.js';
import { isDateTime } from './date-time.js';

/**
 * Returns the `parseLiteral` of a scalar whose literals are strings. Adds the location of the literal to errors of `parse`:
 * graphql-js reports the `GraphQLError` of a scalar as it is.
 *
 * @param parse parses the text of a literal, or `undefined` for a literal that is not a string
 */
function toLiteralParser<Value>(parse: (text: unknown) => Value): (node: ValueNode) => Value {
  return (node) => {
    try {
      return parse(node.kind === Kind.STRING ? node.value : undefined);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      throw withoutStack(() => new GraphQLError(error.message, { nodes: node }));
    }
  };
}

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

function toDateTime(value: unknown): string {
  if (typeof value === 'string' && isDateTime(value)) return value;
  throw withoutStack(
    () =>
      new GraphQLError(
        'A DateTime is an RFC 3339 string such as "2026-03-01T09:30:00.123456+01:00", with or without the offset.',
      ),
  );
}

/**
 * GraphQL scalar `DateTime`: a checked string, because a `Date` would lose the offset and the microseconds. Inputs and
 * answers of the Study API pass one check, so that a client can send back what it has read.
 */
export const DateTimeScalar = new GraphQLScalarType<string, unknown>({
  name: 'DateTime',
  description:
    'A date and time of RFC 3339, whose offset may be missing: `full-date "T" partial-time [time-offset]` in the grammar of section 5.6. ' +
    'Second 60 is allowed only as the last second of a month in UTC. ' +
    'Inputs and outputs are checked; the text is passed on unchanged in both directions.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  parseValue: toDateTime,
  parseLiteral: toLiteralParser(toDateTime),
  // study.wire.ts has already checked the value while reading the answer.
  serialize: (value) => value,
  extensions: { codegenScalarType: 'string' },
});
