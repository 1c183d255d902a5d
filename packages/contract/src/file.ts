import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { contractSchema, type Contract } from './contract.js';
import { toPointer } from './json.js';

/** A contract, or a document to make a contract of, that cannot be used. The message has a line for each problem. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

/** Returns an error that says what is wrong with a file, and why. */
export function toContractError(file: string, problem: string, cause: unknown): ContractError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ContractError(`${file} ${problem}: ${reason}`, { cause });
}

/**
 * Reads a contract.
 *
 * @throws ContractError that lists every problem: file, place as a JSON Pointer, what was expected
 */
export function readContract(file: string): Contract {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw toContractError(file, problem, error);
  }
  const { data, error } = contractSchema.safeParse(content);
  if (data) return { ...data, file };
  const problems = error.issues.flatMap((issue) => toProblems(issue, content));
  throw new ContractError(problems.map((problem) => `${file} ${problem}`).join('\n'));
}

function toProblems(issue: z.core.$ZodIssue, content: unknown): string[] {
  const { path } = issue;
  const value = path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), content);
  // The last choice of each union is the one that takes an object.
  if (issue.code === 'invalid_union' && typeof value === 'object' && value !== null)
    return (issue.errors.at(-1) ?? []).flatMap((inner) =>
      toProblems({ ...inner, path: [...path, ...inner.path] }, content),
    );
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${toPointer([...path, key])} is not known.`);
  const expected = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
  const isEmpty = value === '' ? 'is empty, and a person must settle it: it ' : '';
  return [`${toPointer(path) || 'as a whole'} ${isEmpty}must be ${expected}.`];
}
