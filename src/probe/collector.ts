import { setTimeout as sleep } from 'node:timers/promises';
import { RestError } from '../rest/errors.js';
import { parseJson } from '../rest/json-body.js';
import type { RawClient } from '../rest/raw-client.js';
import { toWireName } from '../study/study.wire.js';
import { Aliases, toBodyFacts, toStudies } from './body.facts.js';
import { isSuccess, type Evidence, type Observation } from './observation.js';
import { toFailureFacts, toReplyFacts } from './reply.facts.js';
import {
  MAX_REQUESTS,
  steps,
  toTargets,
  toTemplate,
  type Known,
  type KnownId,
  type Step,
  type Target,
} from './steps.js';

export interface CollectOptions {
  readonly client: Pick<RawClient, 'get'>;
  readonly token: string;
  /** Ids of the studies to read; where there are none, the list names them. */
  readonly studyIds: readonly string[];
  /** Time from the begin of one request to the begin of the next one. */
  readonly intervalMs: number;
  /** Hears of each answer. */
  readonly onObservation: (observation: Observation, step: Step) => void;
}

/** Sends the requests of all steps, one after the other, until one of them says to stop. */
export async function collect(options: CollectOptions): Promise<Evidence> {
  const { studyIds, intervalMs, onObservation } = options;
  const aliases = new Aliases();
  const observations: Observation[] = [];
  let known: Known = {
    isListed: false,
    studies: studyIds.map((id, index) => ({ id, origin: `--study ${index + 1}` })),
    projects: [],
  };
  let startedAt = -Infinity;

  for (const step of steps)
    for (const target of toTargets(step, known)) {
      if (observations.length === MAX_REQUESTS) return { observations };
      const pauseMs = toPauseMs(startedAt, performance.now(), intervalMs);
      if (pauseMs > 0) await sleep(pauseMs);
      startedAt = performance.now();
      const number = observations.length + 1;
      const { observation, body } = await observe(options, aliases, number, step, target);
      observations.push(observation);
      onObservation(observation, step);
      const stopped = toStop(observation, step);
      if (stopped) return { observations, stopped };
      known = learn(known, step, isSuccess(observation) ? body : undefined, number);
    }
  return { observations };
}

/** How long to wait before a request, so that it begins `intervalMs` after the last one at the earliest. */
export function toPauseMs(lastStartMs: number, nowMs: number, intervalMs: number): number {
  return Math.max(0, lastStartMs + intervalMs - nowMs);
}

async function observe(
  { client, token }: CollectOptions,
  aliases: Aliases,
  number: number,
  step: Step,
  { path, ids, origin }: Target,
): Promise<{ observation: Observation; body?: unknown }> {
  const request = { number, step: step.id, asked: ids.map((id) => aliases.of(id)!), origin };
  const startedAt = performance.now();
  try {
    const sentToken = step.token === undefined ? token : step.token;
    const reply = await client.get({ path, template: toTemplate(step), token: sentToken });
    const ms = performance.now() - startedAt;
    const body = reply.body && parseJson(reply.body);
    const facts = { ...toReplyFacts(reply), ...toBodyFacts(step, body, aliases) };
    return { observation: { ...request, ...facts, ms }, body };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const ms = performance.now() - startedAt;
    return { observation: { ...request, ...toFailureFacts(error), ms } };
  }
}

/** Why the probe must stop after an answer that it has not provoked; `undefined` when it may go on. */
function toStop({ number, status, failure }: Observation, { provokes }: Step): string | undefined {
  const answer = `GET #${number} was answered ${status}`;
  // The connection is in order where an answer was only too long.
  if (failure && failure.name !== 'unreadableAnswer')
    return `GET #${number} failed: ${failure.message}`;
  if (status === undefined || status === provokes) return undefined;
  if (status === 401) return `${answer}: the token is not accepted`;
  if (status === 429) return `${answer}: the API asks for fewer requests`;
  return status >= 500 ? `${answer}: the API has a fault` : undefined;
}

/** Adds the ids of the first list. Studies of the command line stay the only ones. */
function learn(known: Known, step: Step, body: unknown, number: number): Known {
  if (step.id !== 'list') return known;
  const toIds = (name: string): KnownId[] =>
    toStudies(step, body).flatMap(({ [toWireName(name)]: id }, index) =>
      typeof id === 'string' && id !== ''
        ? [{ id, origin: `item ${index + 1} of GET #${number}` }]
        : [],
    );
  return {
    isListed: body !== undefined,
    studies: known.studies.length > 0 ? known.studies : toIds('id'),
    projects: toIds('projectId'),
  };
}
