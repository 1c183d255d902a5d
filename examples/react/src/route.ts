import { useSyncExternalStore } from 'react';

/** Returns the URL of a study's page. The route is in the hash, so that any static file server can serve the app. */
export function studyHref(id: string): string {
  return `#/studies/${encodeURIComponent(id)}`;
}

export const createHref = '#/';

export function openStudy(id: string): void {
  location.hash = studyHref(id);
}

/** Returns the id of the study in the URL; `undefined` on the page that creates a study. */
export function useStudyId(): string | undefined {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const id = /^#\/studies\/([^/]+)$/.exec(hash)?.[1];
  return id && decodeURIComponent(id);
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
