import { useSyncExternalStore } from 'react';

/** The page that the URL names. The route is in the hash, so that any static file server can serve the app. */
export interface Route {
  readonly page: 'list' | 'create' | 'study';
  /** Id of the study on the page `study`. */
  readonly studyId: string | undefined;
}

export const listHref = '#/';
export const createHref = '#/new';

export function studyHref(id: string): string {
  return `#/studies/${encodeURIComponent(id)}`;
}

export function openStudy(id: string): void {
  location.hash = studyHref(id);
}

/** The row of a list through which its page was left. */
interface LeftRow {
  readonly href: string;
  /** Distance in pixels by which the page was scrolled. */
  readonly scrollY: number;
}

/** Stores the row in the history entry of the list, so that the row is found by "Back" only. Call before the row's page opens. */
export function leaveByRow(href: string): void {
  history.replaceState({ href, scrollY } satisfies LeftRow, '');
}

/** Returns the row through which the current page was left before; `null` if it is shown for the first time. */
export function readLeftRow(): LeftRow | null {
  const state: unknown = history.state;
  return isLeftRow(state) ? state : null;
}

function isLeftRow(state: unknown): state is LeftRow {
  return typeof state === 'object' && state !== null && 'href' in state && 'scrollY' in state;
}

export function isOnCreatePage(): boolean {
  return location.hash === createHref;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const id = /^#\/studies\/([^/]+)$/.exec(hash)?.[1];
  if (id) return { page: 'study', studyId: decodeURIComponent(id) };
  return { page: hash === createHref ? 'create' : 'list', studyId: undefined };
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
