import { randomUUID } from 'node:crypto';
import { wholeStudy } from './studies.js';
import { answerJson, startStudyApi, type Respond } from './study-api.js';

/** How the Study API treats a write. */
export interface Treatment {
  readonly answer?: Respond;
  readonly stores?: boolean;
}

/** Answers with the study that the call has written. */
const answerStudy: Respond = (response, call, request) => {
  const id = call.method === 'POST' ? randomUUID() : call.url.slice('/studies/'.length);
  answerJson({ ...wholeStudy, ...JSON.parse(call.body), id })(response, call, request);
};

/** Stores the write, and answers with the study. */
export const success = { answer: answerStudy, stores: true } as const satisfies Treatment;

export interface StoringApi {
  readonly url: string;
  /** Descriptions of all writes that were stored, in order. */
  readonly stored: readonly string[];
}

/**
 * Starts a Study API that stores writes by their description. Treats the first write with a description as `toTreatment`
 * says, and every later one as a success. Shows every study.
 */
export async function startStoringApi(
  toTreatment: (description: string) => Treatment,
): Promise<StoringApi> {
  const stored: string[] = [];
  const seen = new Set<string>();
  const { url } = await startStudyApi((response, call, request) => {
    const shown = { ...wholeStudy, id: call.url.slice('/studies/'.length) };
    if (call.method === 'GET') return answerJson(shown)(response, call, request);
    const { description } = JSON.parse(call.body) as { description: string };
    const { answer, stores } = seen.has(description) ? success : toTreatment(description);
    seen.add(description);
    if (stores) stored.push(description);
    answer?.(response, call, request);
  });
  return { url, stored };
}

/** Returns the descriptions that were stored more than once. */
export function toTwice(stored: readonly string[]): string[] {
  return stored.filter((description, place) => stored.indexOf(description) !== place);
}
