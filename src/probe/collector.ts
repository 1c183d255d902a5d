import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBody, RestError, type Client } from 'rest-outcome';
import { parseJson } from '../json/parse-json.js';
import { version } from '../process/runtime.js';
import {
  createAliases,
  isSuccess,
  toBodyFacts,
  toFailureFacts,
  toReplyFacts,
  toStudies,
  type Evidence,
  type Observation,
} from './observation.js';
import { steps, toTargets, type KnownId, type Step } from './steps.js';

export interface CollectOptions {
  readonly client: Pick<Client, 'fetchOnce'>;
  readonly token: string;
  /** Maximum size of an answer, before and after its content encoding is removed. */
  readonly maxAnswerBytes: number;
  /** Ids of the studies to read. If empty, the probe reads the first studies of the list. */
  readonly studyIds: readonly string[];
  /** Minimum time between the starts of two requests. */
  readonly intervalMs: number;
  /** Called after each request, whether it was answered or failed. */
  readonly onObservation: (observation: Observation, step: Step) => void;
}

/** Sends the requests of all steps one after the other. Stops early at a sign that the API needs rest, such as a 429. */
export async function collect(options: CollectOptions): Promise<Evidence> {
  const { studyIds, intervalMs, onObservation } = options;
  const toAlias = createAliases();
  const observations: Observation[] = [];
  const known = {
    $STUDY_ID: studyIds.map((id, index): KnownId => ({ id, origin: `--study ${index + 1}` })),
    $PROJECT_ID: [] as readonly KnownId[],
  };
  let isListed = false;
  let startedAt = -Infinity;

  for (const step of steps) {
    // The steps `list.…` test parameters of the list.
    if (step.id.startsWith('list.') && !isListed) continue;
    for (const target of toTargets(step, known)) {
      await sleep(Math.max(0, startedAt + intervalMs - performance.now()));
      startedAt = performance.now();
      const number = observations.length + 1;
      const { observation, body } = await observe(options, toAlias, number, step, target);
      observations.push(observation);
      onObservation(observation, step);
      const stopped = findReasonToStop(observation, step);
      if (stopped) return { observations, stopped };
      if (step.id !== 'list' || !isSuccess(observation)) continue;
      isListed = body !== undefined;
      known.$PROJECT_ID = toIds(step, body, 'projectId');
      if (studyIds.length === 0) known.$STUDY_ID = toIds(step, body, 'id');
    }
  }
  return { observations };
}

async function observe(
  { client, token, maxAnswerBytes }: CollectOptions,
  toAlias: ReturnType<typeof createAliases>,
  number: number,
  step: Step,
  { path, id, origin }: ReturnType<typeof toTargets>[number],
): Promise<{ observation: Observation; body?: unknown }> {
  const request = { number, step: step.id, asked: toAlias(id), origin };
  const startedAt = performance.now();
  try {
    const headers = toHeaders(step.token === undefined ? token : step.token);
    const template = path.startsWith('/studies/') ? '/studies/{study_id}' : '/studies';
    const reply = await client.fetchOnce({ path, template, headers });
    const ms = performance.now() - startedAt;
    const { 'content-encoding': encoding = 'identity' } = reply.headers;
    const decoded = decodeBody(reply.body, encoding, maxAnswerBytes);
    const body = Buffer.isBuffer(decoded) ? parseJson(decoded) : undefined;
    const facts = { ...toReplyFacts(reply), ...toBodyFacts(step, body, toAlias) };
    return { observation: { ...request, ...facts, ms }, body };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const ms = performance.now() - startedAt;
    return { observation: { ...request, ...toFailureFacts(error), ms } };
  }
}

/** @param token `null` to send none */
function toHeaders(token: string | null): Record<string, string> {
  const credentials = token === null ? undefined : { authorization: `Bearer ${token}` };
  return {
    ...credentials,
    accept: 'application/json',
    'user-agent': `study-gateway/${version}`,
    'x-request-id': randomUUID(),
  };
}

/** Returns why the probe must stop after this observation; `undefined` if the probe may go on. */
function findReasonToStop(
  { number, status, failure }: Observation,
  { provokes }: Step,
): string | undefined {
  const answer = `GET #${number} was answered ${status}`;
  // An answer that was only too long is no reason to stop: the API is up.
  if (failure && failure.name !== 'unreadableAnswer')
    return `GET #${number} failed: ${failure.message}`;
  if (status === undefined || status === provokes) return undefined;
  if (status === 401) return `${answer}: the token is not accepted`;
  if (status === 429) return `${answer}: the API asks for fewer requests`;
  return status >= 500 ? `${answer}: the API has a fault` : undefined;
}

/** Returns the ids with this name in the studies of the first list, `GET #1`. */
function toIds(step: Step, body: unknown, name: string): KnownId[] {
  return toStudies(step, body).flatMap(({ [name]: id }, index) =>
    typeof id === 'string' && id !== '' ? [{ id, origin: `item ${index + 1} of GET #1` }] : [],
  );
}
