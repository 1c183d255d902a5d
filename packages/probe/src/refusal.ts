import {
  isObject,
  requestNames,
  toApiName,
  type FieldName,
  type Names,
  type Naming,
} from 'study-gateway-contract';
import { namingRules } from './fields.js';

/** Reason in a refusal for one field. */
export interface Mention {
  readonly field: FieldName;
  /** `name`: the API does not know the name. `value`: the value, or something unclear, is wrong. */
  readonly means: 'missing' | 'name' | 'value';
  /** Rule of the name in the refusal, if the name is not the one that was expected. */
  readonly naming?: Naming;
}

const missing =
  /missing|required|must (?:be set|not be (?:null|blank|empty))|should not be empty|blank/i;
/** Without the word for a name, a text such as "unknown language" is about the value. */
const unknownName =
  /extra|unrecognized|additional|not (?:permitted|allowed)|should not exist|un(?:known|expected)[ _-](?:attribute|field|key|member|name|parameter|property)/i;

/** Returns what the body of a refusal says of the fields of a write, in whatever form it does. */
export function readMentions(body: unknown, names: Names): Mention[] {
  const mentions = toTexts(body).flatMap((text) => {
    const words = text.split(/[^\p{L}\p{N}_-]+/u);
    const means = unknownName.test(text) ? 'name' : missing.test(text) ? 'missing' : 'value';
    return requestNames.createStudy.flatMap((field): Mention[] => {
      if (words.includes(toApiName(names, field))) return [{ field, means }];
      const naming = namingRules.find((rule) =>
        words.includes(toApiName({ naming: rule, names: {} }, field)),
      );
      // A word of prose is no name in Pascal case.
      return naming === undefined || naming === 'PascalCase' ? [] : [{ field, means, naming }];
    });
  });
  return [...new Map(mentions.map((mention) => [mention.field, mention])).values()];
}

/** Members of an error that repeat what was sent, or that name no field. */
const echo = /^(?:input|ctx|url|value|rejectedValue|params|target|instance|documentation_url)$/;
/** Members by which an object is the error of one field. Other members are names of fields. */
const ofError =
  /^(?:loc|path|field|param|pointer|property|name|source|msg|message|detail|title|error|reason|type|code)$/;

/** Returns the errors in a body, each with the names and the texts that belong together. */
function toTexts(value: unknown, name = ''): string[] {
  if (isTextual(value)) return [[name, value].flat().join(' ')];
  if (Array.isArray(value)) return value.flatMap((item) => toTexts(item, name));
  if (!isObject(value)) return [];
  const members = Object.entries(value).filter(([key]) => !echo.test(key));
  const own = members.filter(([key, member]) => isTextual(member) && ofError.test(key));
  if (own.length === 0) return members.flatMap(([key, member]) => toTexts(member, key));
  const texts = members.filter(([, member]) => isTextual(member)).flatMap(([, member]) => member);
  const nested = members.filter(([, member]) => !isTextual(member));
  return [[name, ...texts].join(' '), ...nested.flatMap(([key, member]) => toTexts(member, key))];
}

function isTextual(value: unknown): value is string | readonly (string | number)[] {
  if (typeof value === 'string') return !/^(?:https?:|about:|urn:)/.test(value);
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => /string|number/.test(typeof item))
  );
}
