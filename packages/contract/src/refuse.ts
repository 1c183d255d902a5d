import type { JsonObject } from './json.js';

/** A field of an input, or an argument of the list, that cannot be sent as it is. */
export interface Refused {
  readonly name: string;
  readonly message: string;
}

/** A name wins over "absent", so that a person need not delete what the command wrote. */
export function isUnnamed(names: object): (name: string) => boolean {
  return (name) => !Object.hasOwn(names, name);
}

const notTaken = 'The Study API does not take this field.';
const demanded = 'The Study API demands this field.';

/** Returns the function that names what the API does not take, and what it demands and is missing. */
export function createRefuse(all: readonly string[], names: object, required: readonly string[]) {
  const absent = all.filter(isUnnamed(names));
  return (given: JsonObject): Refused[] => [
    ...absent.flatMap((name) => (given[name] === undefined ? [] : { name, message: notTaken })),
    ...required.flatMap((name) => (given[name] === undefined ? { name, message: demanded } : [])),
  ];
}
