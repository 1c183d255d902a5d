import type { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { useSyncExternalStore } from 'react';
import { retryDelay, studyProblem, type StudyProblem } from 'study-gateway-client';

/** An automatic retry that has not begun yet. */
export interface RetryWait {
  readonly problem: StudyProblem;
  /** Time at which the retry begins. */
  readonly until: Date;
  /** Cancels the retry, so that the operation fails with `problem`. */
  readonly cancel: () => void;
}

/** Minimum wait that the page shows. A shorter wait would end before a user has read the message. */
const SHOWN_FROM_MS = 1_000;

const waits = new Map<string, RetryWait>();
const listeners = new Set<() => void>();

/** Waits for the time of `retryDelay` before the next attempt. Resolves to `false` if the user cancels the retry. */
export function waitForRetry(
  attempt: number,
  operation: ApolloLink.Operation,
  error: unknown,
): Promise<boolean> {
  const isRead = operation.operationType === OperationTypeNode.QUERY;
  const id: unknown = operation.variables['id'];
  const name = isRead && typeof id === 'string' ? id : (operation.operationName ?? '');
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
    const problem = studyProblem(error, isRead ? 'query' : 'mutation');
    waits.set(name, { problem, until: new Date(Date.now() + ms), cancel: () => end(false) });
    tellListeners();
  });
}

/** @param name the id of the study that is read, or the name of a mutation or of another query */
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
