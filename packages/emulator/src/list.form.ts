import type { Contract } from 'study-gateway-contract';
import { z } from 'zod';
import { put, toNamed } from './names.js';
import { uuid } from './study.schema.js';

type List = Exclude<Contract['operations']['studies'], false>;

/** All values of a query parameter. */
const values = z.unknown().transform((value) => [value].flat());

/** The last value of a repeated parameter counts, as in FastAPI. */
const last = values.transform((all) => all.at(-1));

/** An integer in a query string, of at most nine digits. */
const integer = last.pipe(z.stringFormat('integer-text', /^[+-]?\d{1,9}$/).transform(Number));

/** A comma-separated list of UUIDs in a query string. */
const uuids = last.pipe(z.string().transform((text) => text.split(','))).pipe(z.array(uuid));

/** Returns the query and the answer of an API that has this list. */
export function createListForm(list: List) {
  const { items, absent, projects, firstPage } = list;
  const parameters: Readonly<Record<string, string>> = list.parameters;
  const numbers: Readonly<Record<string, string>> = list.numbers;
  const beside = items.slice(0, items.lastIndexOf('/') + 1);
  const known = Object.entries({
    page: integer.pipe(z.int().min(firstPage)).optional(),
    size: integer.pipe(z.int().min(1).max(100)).optional(),
    projectId: (projects === 'repeated' ? values.pipe(z.array(uuid)) : uuids).optional(),
  });
  const taken = known.filter(([name]) => !absent.some((other) => other === name));
  const asked = z.object({
    page: z.number().default(firstPage),
    size: z.number().default(50),
    projectId: z.array(z.string()).optional(),
  });
  return {
    firstPage,
    /** Schema of the query. Parameters that the API does not know are ignored. */
    query: toNamed(
      Object.fromEntries(taken),
      (argument) => parameters[argument] ?? argument,
      z.unknown(),
    ).pipe(asked),
    /** Returns an answer with studies, and with the numbers of their page. */
    toPage: (studies: readonly object[], counts: Readonly<Record<string, number>>): object =>
      Object.entries(counts).reduce(
        (page, [number, count]) => put(page, numbers[number] ?? beside + number, count),
        put({}, items, studies),
      ),
  };
}
