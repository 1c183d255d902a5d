import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError, type Problem } from './answers.js';
import { integer, strategy } from './schema.js';

const jsonType = /^application\/([^;]+\+)?json\s*(;|$)/i;

/**
 * Adds a parser for JSON request bodies. A body of another media type stays a string, which no schema accepts; an empty
 * body is `undefined`.
 */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      if (text === '') return undefined;
      if (!jsonType.test(request.headers['content-type'] ?? '')) return text;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        const problem = { type: 'json_invalid', msg: 'JSON decode error', input: {} };
        throw new ApiError(422, [{ ...problem, loc: ['body'] }]);
      }
    },
  );
}

type Issue = z.core.$ZodIssue;
type Kind = Pick<Problem, 'type' | 'msg'>;

const missing = { type: 'missing', msg: 'Field required' };
const extra = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };

/** The values of `strategy`, joined as pydantic does: `'a', 'b' or 'c'`. */
const choice = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  strategy.options.map((value) => `'${value}'`),
);

/** pydantic's error types and messages, by the type, format or issue code in zod's issue. */
const kinds: Readonly<Record<string, Kind>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
  number: { type: 'int_type', msg: 'Input should be a valid integer' },
  int: {
    type: 'int_from_float',
    msg: 'Input should be a valid integer, got a number with a fractional part',
  },
  'integer-text': {
    type: 'int_parsing',
    msg: 'Input should be a valid integer, unable to parse string as an integer',
  },
  guid: {
    type: 'uuid_parsing',
    msg: 'Input should be a valid UUID, expected 8-4-4-4-12 hexadecimal digits',
  },
  'date-time': {
    type: 'datetime_from_date_parsing',
    msg: 'Input should be a valid datetime or date, expected RFC 3339 with an offset',
  },
  invalid_value: { type: 'enum', msg: `Input should be ${choice}` },
};

/**
 * Validates the parts of a request against `schema`.
 *
 * @throws {ApiError} 422 with all problems when `input` is invalid; `loc` of a problem is its path within `input`
 */
export function parseRequest<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw new ApiError(422, result.error.issues.flatMap(toProblems));
}

function toProblems(issue: Issue): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const values = new Map(Object.entries(issue.input ?? {}));
    return issue.keys.map((key) => toProblem(extra, [...issue.path, key], values.get(key)));
  }
  const kind = issue.input === undefined ? missing : toKind(issue);
  return [toProblem(kind ?? { type: issue.code, msg: issue.message }, issue.path, issue.input)];
}

function toKind(issue: Issue): Kind | undefined {
  switch (issue.code) {
    case 'too_big':
      return {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${Math.min(Number(issue.maximum), integer.maxValue!)}`,
      };
    case 'too_small':
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${Math.max(Number(issue.minimum), integer.minValue!)}`,
      };
    case 'invalid_type':
      return kinds[issue.expected];
    case 'invalid_format':
      return kinds[issue.format];
    default:
      return kinds[issue.code];
  }
}

function toProblem({ type, msg }: Kind, path: readonly PropertyKey[], input: unknown): Problem {
  const loc = path.map((key) => (typeof key === 'number' ? key : String(key)));
  return { type, loc, msg, input: input ?? null };
}
