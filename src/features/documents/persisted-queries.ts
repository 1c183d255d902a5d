import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { LRUCache } from 'lru-cache';

type PersistedQueryCache = Exclude<
  ApolloServerOptions<BaseContext>['cache'],
  'bounded' | undefined
>;

/** All documents together with their names, as V8 holds them. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Map, list and name of one document. */
const ENTRY_BYTES = 512;

/**
 * Automatic persisted queries, in the memory of the process. Anybody may register documents, so the least recently used
 * ones make room for new ones: a client whose document is gone is asked for the whole text again.
 */
export function createPersistedQueryCache(): PersistedQueryCache {
  const documents = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    // V8 takes one or two bytes for a character.
    sizeCalculation: ({ length }) => 2 * length + ENTRY_BYTES,
  });
  return {
    get: async (name) => documents.get(name),
    async set(name, document) {
      documents.set(name, document);
    },
    delete: async (name) => documents.delete(name),
  };
}
