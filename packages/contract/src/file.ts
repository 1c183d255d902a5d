import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { contractSchema, type Contract } from './contract.js';
import { toPointer } from './json.js';

/** A contract, or a document to make a contract of, that cannot be used. The message has a line for each problem. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
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
    throw new ContractError(`${file} cannot be read as JSON: ${String(error)}`, { cause: error });
  }
  const { data, error } = contractSchema.safeParse(content);
  if (data) return data;
  const problems = error.issues.flatMap((issue) => toProblems(issue));
  throw new ContractError(problems.map((problem) => `${file} ${problem}`).join('\n'));
}

/** @param around place of what the path of the issue begins at */
function toProblems(issue: z.core.$ZodIssue, around: readonly PropertyKey[] = []): string[] {
  const path = [...around, ...issue.path];
  // The last choice of each union is the usual one.
  if (issue.code === 'invalid_union')
    return (issue.errors.at(-1) ?? []).flatMap((inner) => toProblems(inner, path));
  return [`${toPointer(path) || 'as a whole'}: ${issue.message}`];
}
