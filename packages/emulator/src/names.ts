import { toSteps } from 'study-gateway-contract';
import { z } from 'zod';

/** Returns an object with other names. Members without a name are left out. */
export function rename<Member>(
  object: Readonly<Record<string, Member>>,
  toName: (name: string) => string | undefined,
): Record<string, Member> {
  const members = Object.entries(object).map(([name, member]) => [toName(name), member] as const);
  return Object.fromEntries(members.filter(([name]) => name !== undefined));
}

/**
 * Returns the schema of an object that has the names of the API. What it parses has the names of `fields`.
 *
 * @param others schema of members with other names, which are left out; default: refuses them
 */
export function toNamed(
  fields: z.ZodRawShape,
  toApiName: (name: string) => string,
  others: z.ZodType = z.never(),
) {
  const names = new Map(Object.keys(fields).map((name) => [toApiName(name), name]));
  const schema = z.object(rename(fields, toApiName)).catchall(others);
  return schema.transform((value) => rename(value, (apiName) => names.get(apiName)));
}

/** Returns `object` with a value at a JSON Pointer. */
export function put(object: unknown, pointer: string, value: unknown): object {
  return putAt(object, toSteps(pointer), value);
}

function putAt(object: unknown, [step = '', ...rest]: readonly string[], value: unknown): object {
  // A map: assigning to a member that a pointer names could change a prototype.
  const members = new Map<string, unknown>(Object.entries(Object(object)));
  members.set(step, rest.length === 0 ? value : putAt(members.get(step), rest, value));
  return Object.fromEntries(members);
}
