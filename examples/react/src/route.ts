import { useSyncExternalStore } from 'react';

/** The address of a study's page: in the hash, so that any server of static files will do. */
export function studyHref(id: string): string {
  return `#/studies/${encodeURIComponent(id)}`;
}

export const createHref = '#/';

export function openStudy(id: string): void {
  location.hash = studyHref(id);
}

/** The id of the study that the address names; `undefined` on the page that creates one. */
export function useStudyId(): string | undefined {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const id = /^#\/studies\/([^/]+)$/.exec(hash)?.[1];
  return id && decodeURIComponent(id);
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
