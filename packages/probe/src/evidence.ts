import type { Contract } from 'study-gateway-contract';
import { isSuccess, type Exchange } from './ask.js';
import type { JsonObject } from './fields.js';
import type { Learned } from './learn.js';
import { open, type Verdict } from './verdict.js';
import type { Reading } from './read.js';
import type { Written } from './send-write.js';

/** Everything that one run has seen: what verdicts are made of. */
export interface Evidence {
  readonly contract: Contract;
  readonly exchanges: readonly Exchange[];
  readonly reading: Reading;
  /** `undefined` unless the probe was allowed to write. */
  readonly written: Written | undefined;
  /** All studies that answers show; of writes, the one with all fields first. */
  readonly studies: readonly { readonly exchange: Exchange; readonly study: JsonObject }[];
  readonly at: string | undefined;
  readonly learned: Learned;
  /** Why the run stopped early. */
  readonly stopped: string | undefined;
}

export function find({ exchanges }: Evidence, step: string): Exchange | undefined {
  return exchanges.find((one) => one.step === step);
}

/** Returns why a step shows nothing. */
export function toUnseen(evidence: Evidence, step: string): Verdict {
  const exchange = find(evidence, step);
  if (!exchange)
    return open(evidence.stopped === undefined ? 'not asked' : 'not asked: the probe stopped');
  if (exchange.fault !== undefined && isTwoOrThree(exchange))
    return open(exchange.fault, 'http.answer');
  return open(
    isSuccess(exchange) ? 'nothing to tell it by' : `answered ${exchange.status ?? 'nothing'}`,
    'http.found',
  );
}

function isTwoOrThree({ status = 0 }: Exchange): boolean {
  return status >= 200 && status < 400;
}
