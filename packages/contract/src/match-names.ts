import { foldName } from './nearest-name.js';
import { fits, toKind, type JsonObject } from './openapi-schema.js';
import {
  answerNames,
  namings,
  requestNames,
  studyFields,
  type FieldName,
  type Kind,
  type Naming,
} from './study-fields.js';

export interface Match {
  readonly name: string;
  readonly by: 'name' | 'case' | 'type';
}

/** Names of one side, request or answer, as far as they are found. */
export interface Names {
  readonly found: ReadonlyMap<FieldName, Match>;
  /** Unused properties that each other field may be. */
  readonly candidates: ReadonlyMap<FieldName, readonly string[]>;
  /** Properties that no field is. */
  readonly unused: readonly string[];
}

/** One side of the search. */
class Side {
  readonly found = new Map<FieldName, Match>();

  constructor(
    readonly fields: readonly FieldName[],
    readonly properties: JsonObject,
  ) {
    for (const [field, match] of matchByName(fields, Object.keys(properties)))
      this.found.set(field, match);
  }

  get #unused(): string[] {
    const used = new Set([...this.found.values()].map(({ name }) => name));
    return Object.keys(this.properties).filter((name) => !used.has(name));
  }

  /** Returns the name of the only unused property of the kind of `field`, if it is the only field left of that kind. */
  findOnly(field: FieldName): string | undefined {
    const { kind } = studyFields[field];
    const isOpen = (other: FieldName): boolean =>
      studyFields[other].kind === kind && !this.found.has(other);
    const names = this.#unused.filter((name) => toKind(this.properties[name]) === kind);
    return names.length === 1 && this.fields.filter(isOpen).length === 1 ? names[0] : undefined;
  }

  toNames(): Names {
    const unused = this.#unused;
    const others = this.fields.filter((field) => !this.found.has(field));
    const candidates = new Map(
      others.map((field) => [field, unused.filter((name) => this.#fits(field, name))]),
    );
    return { found: this.found, candidates, unused };
  }

  #fits(field: FieldName, name: string): boolean {
    const kind = toKind(this.properties[name]);
    // A property that the document calls a date and time is no other text.
    const isOther = kind === 'date-time' && studyFields[field].kind !== kind;
    return !isOther && fits(studyFields[field].kind, kind);
  }
}

/**
 * Matches properties with fields: by name, by case and by type. A match by type alone needs a property that is the only
 * one of its type, of a field that must be there, or that is in requests too: any other may be a property of the API's own.
 */
export function matchStudies(request: JsonObject, answer: JsonObject): [Names, Names] {
  const sent = new Side(requestNames.createStudy, request);
  const shown = new Side(answerNames, answer);
  const by = 'type';
  for (const field of sent.fields) {
    const name = sent.found.get(field)?.name ?? sent.findOnly(field);
    const shownAs = shown.found.get(field)?.name ?? shown.findOnly(field);
    if (name === undefined || name !== shownAs) continue;
    if (!sent.found.has(field)) sent.found.set(field, { name, by });
    if (!shown.found.has(field)) shown.found.set(field, { name, by });
  }
  for (const field of shown.fields) {
    const name = shown.found.has(field) ? undefined : shown.findOnly(field);
    const isSure = studyFields[field].answer === 'value' && !sent.fields.includes(field);
    if (isSure && name !== undefined && !Object.hasOwn(request, name))
      shown.found.set(field, { name, by });
  }
  return [sent.toNames(), shown.toNames()];
}

/** Matches names that are equal, or that only the case rule tells apart. */
export function matchByName<Field extends string>(
  fields: readonly Field[],
  names: readonly string[],
): Map<Field, Match> {
  const found = new Map<Field, Match>();
  for (const field of fields) {
    const alike = names.filter((name) => foldName(name) === foldName(field));
    const name = alike.includes(field) ? field : alike[0];
    if (name !== undefined) found.set(field, { name, by: name === field ? 'name' : 'case' });
  }
  return found;
}

/** Returns the rule that makes the most of the names. */
export function findNaming(found: ReadonlyMap<string, Match>): Naming {
  const toCount = (naming: Naming): number =>
    [...found].filter(([field, { name }]) => namings[naming](field) === name).length;
  const rules = Object.keys(namings) as Naming[];
  return rules.toSorted((one, other) => toCount(other) - toCount(one))[0] ?? 'camelCase';
}

/** Returns the kind of a property that the gateway cannot read as a field; `undefined` if it can. */
export function toOtherKind(field: FieldName, schema: unknown): Kind | 'other' | undefined {
  const kind = toKind(schema);
  return fits(studyFields[field].kind, kind) ? undefined : kind;
}
