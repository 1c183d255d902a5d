import { GraphQLError, GraphQLScalarType } from 'graphql';
import { withoutStack } from '../stack-traces.js';
import { isDateTime } from './date-time.js';
import { toLiteralParser } from './literal-parser.js';

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
