import { LRUCache } from 'lru-cache';
import type { PersistedQueryCache } from '../../graphql/apollo.js';

/** Maximum size of all documents and their names in the heap. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Estimated memory of one entry, in addition to its document. */
const ENTRY_BYTES = 512;

/**
 * Creates a cache of automatic persisted queries in memory. Anybody may register documents, so the least recently used
 * documents are evicted; Apollo asks a client for the whole text of an evicted document.
 */
export function createPersistedQueries(): PersistedQueryCache {
  const documents = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    // V8 stores a character in one or two bytes.
    sizeCalculation: ({ length }) => 2 * length + ENTRY_BYTES,
  });
  return {
    get: async (name) => documents.get(name),
    set: async (name, document) => void documents.set(name, document),
    delete: async (name) => documents.delete(name),
  };
}
