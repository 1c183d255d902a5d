import { fits, toKind, type JsonObject } from './openapi-schema.js';
import {
  answerNames,
  foldName,
  namings,
  requestNames,
  studyFields,
  toKeys,
  type FieldName,
  type Naming,
} from './study-fields.js';

export interface Match {
  readonly name: string;
  readonly by: 'name' | 'case' | 'type';
}

/** The fields of one side, request or answer, and the properties that may be these fields. */
export class Side {
  readonly found: Map<FieldName, Match>;

  constructor(
    readonly fields: readonly FieldName[],
    readonly properties: JsonObject,
  ) {
    this.found = matchByName(fields, properties);
  }

  /** Names of the properties that no field is. */
  get unused(): string[] {
    const used = new Set([...this.found.values()].map(({ name }) => name));
    return Object.keys(this.properties).filter((name) => !used.has(name));
  }

  get missing(): FieldName[] {
    return this.fields.filter((field) => !this.found.has(field));
  }

  /** Returns the unused properties that a field may be. A date and time is no other text. */
  findCandidates(field: FieldName): string[] {
    const { kind } = studyFields[field];
    return this.unused.filter((name) => {
      const other = toKind(this.properties[name]);
      return fits(kind, other) && (other !== 'date-time' || kind === other);
    });
  }

  /** Returns the name of the field. If it is missing: of the only unused property of its kind, if no other field is. */
  findName(field: FieldName): string | undefined {
    const found = this.found.get(field);
    if (found) return found.name;
    const { kind } = studyFields[field];
    const fields = this.missing.filter((other) => studyFields[other].kind === kind);
    const names = this.unused.filter((name) => toKind(this.properties[name]) === kind);
    return fields.length === 1 && names.length === 1 ? names[0] : undefined;
  }

  addByType(field: FieldName, name: string): void {
    if (!this.found.has(field)) this.found.set(field, { name, by: 'type' });
  }
}

/**
 * Matches properties with fields: by name, by case and by type. A match by type needs the only property of this type, and
 * a field that is in requests too or must be in answers: any other property may be one of the API's own.
 */
export function matchStudies(request: JsonObject, answer: JsonObject): [Side, Side] {
  const sent = new Side(requestNames.createStudy, request);
  const shown = new Side(answerNames, answer);
  for (const field of answerNames) {
    const isSent = sent.fields.includes(field);
    const name = shown.findName(field);
    if (name === undefined) continue;
    if (isSent && sent.findName(field) === name) {
      sent.addByType(field, name);
      shown.addByType(field, name);
    }
    const mustBeThere = !isSent && studyFields[field].answer === 'value';
    if (mustBeThere && !Object.hasOwn(request, name)) shown.addByType(field, name);
  }
  return [sent, shown];
}

/** Matches names that are equal, or that only the rule of their case tells apart. */
export function matchByName<Field extends string>(
  fields: readonly Field[],
  properties: JsonObject,
): Map<Field, Match> {
  const names = Object.keys(properties);
  const toMatch = (field: Field): [Field, Match][] => {
    const name = names.find((other) => foldName(other) === foldName(field));
    if (names.includes(field)) return [[field, { name: field, by: 'name' }]];
    return name === undefined ? [] : [[field, { name, by: 'case' }]];
  };
  return new Map(fields.flatMap(toMatch));
}

/** Returns the rule that makes the most of the names. */
export function findNaming(found: ReadonlyMap<string, Match>): Naming {
  const toCount = (naming: Naming): number =>
    [...found].filter(([field, { name }]) => namings[naming](field) === name).length;
  return toKeys(namings).toSorted((one, other) => toCount(other) - toCount(one))[0]!;
}
