import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

const json = 'application/json; charset=utf-8';
const graphqlJson = 'application/graphql-response+json; charset=utf-8';

/** Maximum length of an `Accept` header that is negotiated, in characters: 16 KiB would take 30 ms of CPU. */
const MAX_ACCEPT_LENGTH = 1_000;

/** Content types by `Accept` header. Negotiation takes up to 16 µs for the header of a usual client. */
const contentTypes = new LRUCache<string, string>({
  max: 100,
  memoMethod: (accept) =>
    new Negotiator({ headers: { accept } }).mediaType([json, graphqlJson]) ?? json,
});

/**
 * Chooses the content type of an answer. An `Accept` that admits neither type gets JSON all the same, as RFC 9110
 * §12.5.1 allows: Apollo would run the operation, even a write, and answer 406 instead of the result.
 */
export function chooseContentType(accept = '*/*'): string {
  return accept.length > MAX_ACCEPT_LENGTH ? json : contentTypes.memo(accept);
}
