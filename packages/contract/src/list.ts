import type { ListForm } from './contract.js';
import { createRead, type JsonObject } from './json.js';
import { listArguments, pageNumbers } from './study-fields.js';

/** A field of an input, or an argument of the list, that cannot be sent as it is. */
export interface Refused {
  readonly name: string;
  readonly message: string;
}

export const notTaken = 'The Study API does not take this field.';
const takesOne = 'The Study API takes one project.';

/** Arguments of the list. One that is `undefined` or `null` is not sent. */
export type ListArguments = {
  readonly page?: number | null | undefined;
  readonly size?: number | null | undefined;
  readonly projectId?: readonly string[] | null | undefined;
};

/** Returns the function that names the arguments that the API does not take. */
export function createRefuseList({ parameters, projects }: ListForm) {
  return (args: ListArguments): Refused[] =>
    listArguments.flatMap((name) => {
      const values = [args[name] ?? []].flat();
      if (values.length > 0 && parameters[name] === false) return { name, message: notTaken };
      return values.length > 1 && projects === 'one' ? { name, message: takesOne } : [];
    });
}

/** Returns the function that makes a page by GraphQL names, counted from 1, of untranslated studies. */
export function createPage({ items, item, firstPage, numbers }: ListForm) {
  const isUsual = items === '/items' && firstPage === 1 && Object.keys(numbers).length === 0;
  if (isUsual && item === undefined) return (answer: JsonObject) => answer;
  const [readItems, readItem] = [createRead(items), createRead(item)];
  const readers = pageNumbers.flatMap((number) => {
    const place = numbers[number] ?? `/${number}`;
    return place === false ? [] : [[number, createRead(place)] as const];
  });
  return (answer: JsonObject): JsonObject => {
    const all = readItems(answer);
    const page: Record<string, unknown> = { items: Array.isArray(all) ? all.map(readItem) : all };
    for (const [number, read] of readers) page[number] = read(answer);
    if (typeof page['page'] === 'number') page['page'] += 1 - firstPage;
    return page;
  };
}

/** Returns the function that makes the query of a list, as `name=value`, with the names of the API. */
export function createQuery({ parameters, projects, firstPage }: ListForm) {
  return (args: ListArguments): string[] =>
    listArguments.flatMap((argument) => {
      const value = args[argument];
      if (value === undefined || value === null) return [];
      const name = encodeURIComponent(parameters[argument] || argument);
      if (argument === 'page') return `${name}=${Number(value) - 1 + firstPage}`;
      const values = [value].flat().map((one) => encodeURIComponent(`${one}`));
      if (projects === 'repeated') return values.map((one) => `${name}=${one}`);
      return `${name}=${values.join(',')}`;
    });
}
