import type { ApolloLink } from '@apollo/client';
import { useSyncExternalStore } from 'react';
import { retryDelay, studyProblem, type StudyProblem } from 'study-gateway-client';

/** An automatic retry that waits for its time. */
export interface RetryWait {
  readonly problem: StudyProblem;
  /** When the retry begins. */
  readonly until: Date;
  /** Leaves the retry out: the operation fails with `problem`. */
  readonly cancel: () => void;
}

/** A shorter wait is over before it has been read. */
const SHOWN_FROM_MS = 1_000;

const waits = new Map<string, RetryWait>();
const listeners = new Set<() => void>();

/** Waits before the next attempt, for as long as `retryDelay` says. Resolves to `false` when the retry was cancelled. */
export function waitForRetry(
  attempt: number,
  operation: ApolloLink.Operation,
  error: unknown,
): Promise<boolean> {
  const { idempotencyKey, id } = operation.variables;
  const name = String(idempotencyKey ?? id);
  const ms = retryDelay(attempt, operation, error);
  return new Promise((resolve) => {
    const end = (isRetried: boolean) => {
      clearTimeout(timer);
      waits.delete(name);
      tellListeners();
      resolve(isRetried);
    };
    const timer = setTimeout(end, ms, true);
    if (ms < SHOWN_FROM_MS) return;
    const problem = studyProblem(error, idempotencyKey ? 'mutation' : 'query');
    waits.set(name, { problem, until: new Date(Date.now() + ms), cancel: () => end(false) });
    tellListeners();
  });
}

/** @param name the idempotency key of a write, or the id of the study that is read */
export function useRetryWait(name: string | undefined): RetryWait | undefined {
  return useSyncExternalStore(subscribe, () => waits.get(name ?? ''));
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

function tellListeners(): void {
  for (const tell of listeners) tell();
}
