import { useSyncExternalStore } from 'react';

export const listHref = '#/';
export const createHref = '#/new';

export function studyHref(id: string): string {
  return `#/studies/${encodeURIComponent(id)}`;
}

/** The page that the URL names. The route is in the hash, so that any static file server can serve the app. */
export function useRoute() {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const id = /^#\/studies\/([^/]+)$/.exec(hash)?.[1];
  return { href: hash || listHref, studyId: id && decodeURIComponent(id) };
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
