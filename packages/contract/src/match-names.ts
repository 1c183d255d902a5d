import type { JsonObject } from './json.js';
import { fits, toKind } from './openapi-schema.js';
import { foldName, progressPrefix, type Kind } from './study-fields.js';

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

/** Names of the gateway, and the properties or parameters of an API that may have them. */
export class Side<Name extends string> {
  /** The API's names by those of the gateway. */
  readonly found: Map<Name, string>;

  /**
   * @param place place of the names in the contract, as a JSON Pointer
   * @param properties schemas by the API's names
   * @param toKinds kinds of what can have a name. The first one is assumed
   */
  constructor(
    readonly place: string,
    readonly names: readonly Name[],
    readonly properties: JsonObject,
    readonly toKinds: (name: Name) => readonly [Kind, ...Kind[]],
    toSynonyms = (name: Name): readonly string[] => [name.replace(progressPrefix, '')],
  ) {
    const all = Object.keys(properties);
    const found = names.map((name) => [name, findByName(toSynonyms(name), all, String)] as const);
    this.found = new Map(found.flatMap(([name, apiName]) => (apiName ? [[name, apiName]] : [])));
  }

  /** The API's names that no name of the gateway has. */
  get unused(): string[] {
    const used = new Set(this.found.values());
    return Object.keys(this.properties).filter((name) => !used.has(name));
  }

  get missing(): Name[] {
    return this.names.filter((name) => !this.found.has(name));
  }

  /** Returns the only unused property of the kind of a missing name, if no other missing name has this kind. */
  findOnly(name: Name): string | undefined {
    const [kind] = this.toKinds(name);
    const names = this.missing.filter((other) => this.toKinds(other)[0] === kind);
    const [only, ...others] = this.unused.filter(
      (other) => toKind(this.properties[other]) === kind,
    );
    return names.length === 1 && others.length === 0 ? only : undefined;
  }

  /**
   * Returns the names that `toUsual` does not make, and the names that the API lacks. A name is empty, and a line of
   * `open`, if a person must settle it: an unused property may have it, or it cannot be absent.
   */
  settle(toUsual: (name: Name) => string, mayBeAbsent: (name: Name) => boolean, open: string[]) {
    const names: Partial<Record<Name, string>> = {};
    const absent: Name[] = [];
    for (const [name, apiName] of this.found) if (apiName !== toUsual(name)) names[name] = apiName;
    for (const name of this.missing) {
      const candidates = this.unused.filter((other) => {
        const kind = toKind(this.properties[other]);
        // A date and time is no other text.
        return this.toKinds(name).some(
          (own) => fits(own, kind) && (kind !== 'date-time' || own === kind),
        );
      });
      if (candidates.length === 0 && mayBeAbsent(name)) {
        absent.push(name);
        continue;
      }
      names[name] = '';
      const word = this.place.endsWith('parameters') ? 'parameter' : 'property';
      const choice = candidates.join(', ') || 'none is left';
      const other = mayBeAbsent(name)
        ? `, or put "${name}" into "absent"`
        : `, or remove the line: the gateway then assumes "${toUsual(name)}"`;
      open.push(`${this.place}/${name}: name the ${word} (${choice})${other}.`);
    }
    return { names, absent };
  }
}
