import type { JsonObject } from './json.js';
import { fits, toKind, toPlaces, toShape, type Place } from './openapi.js';
import { answerNames, foldName, type Kind } from './study-fields.js';

/** What the command tells a person. */
export interface Notes {
  readonly matched: string[];
  /** Sentences about what a person must settle, and about what no contract can say. */
  readonly open: string[];
}

const studyNames: ReadonlySet<string> = new Set(answerNames.map(foldName));
/** Ranks a schema by the number of properties with known names. */
export function rank(schema: unknown): number {
  const names = Object.keys(toShape(schema).properties);
  return names.filter((name) => studyNames.has(foldName(name))).length + names.length / 1_000;
}

/** Returns the place that looks most like a study. */
export function findStudy(schema: unknown): Place {
  const places = toPlaces(schema).toSorted((one, other) => rank(other.schema) - rank(one.schema));
  return places[0] ?? { pointer: '', schema };
}

/** Finds what has one of several names, the first one preferred, or else a name that only the rule of its case tells apart. */
export function findByName<Item>(
  names: readonly string[],
  items: readonly Item[],
  toName: (item: Item) => string,
): Item | undefined {
  const rules = [(name: string) => name, foldName];
  const found = names.flatMap((name) =>
    rules.map((rule) => items.find((item) => rule(toName(item)) === rule(name))),
  );
  return found.find((item) => item !== undefined);
}

/** Names of the gateway, and the properties or parameters of an API that have them. */
export type Match<Name extends string> = ReturnType<typeof match<Name>>;

/**
 * Matches by names.
 *
 * @param properties schemas by the API's names
 * @param toKinds kinds of what can have a name. The first one is assumed
 */
export function match<Name extends string>(
  names: readonly Name[],
  properties: JsonObject,
  toKinds: (name: Name) => readonly [Kind, ...Kind[]],
  toSynonyms = (name: Name): readonly string[] => [name],
) {
  const all = Object.keys(properties);
  const byName = names.map((name) => [name, findByName(toSynonyms(name), all, String)] as const);
  /** The API's names by those of the gateway. */
  const found = new Map(byName.flatMap(([name, apiName]) => (apiName ? [[name, apiName]] : [])));
  const missing = (): Name[] => names.filter((name) => !found.has(name));
  const unused = (): string[] => {
    const used = new Set(found.values());
    return all.filter((name) => !used.has(name));
  };
  return {
    properties,
    found,
    missing,
    unused,
    /** Returns the only unused property of the kind of a missing name, if no other missing name has this kind. */
    findOnly(name: Name): string | undefined {
      const [kind] = toKinds(name);
      const others = missing().filter((other) => toKinds(other)[0] === kind);
      const [only, ...more] = unused().filter((other) => toKind(properties[other]) === kind);
      return others.length === 1 && more.length === 0 ? only : undefined;
    },
    /** Returns the unused properties that may have a missing name. */
    candidates: (name: Name): string[] =>
      unused().filter((other) =>
        toKinds(name).some((kind) => fits(kind, toKind(properties[other]))),
      ),
  };
}
