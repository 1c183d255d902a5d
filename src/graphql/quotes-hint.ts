import { Kind, type GraphQLError } from 'graphql';
import { cutQuoted } from '../execution/quoted-value.js';

/**
 * Returns a hint to quote a string that the client wrote as an enum value, such as `strategy: concept_study`; an empty
 * string for any other error.
 */
export function toQuotesHint({ message, nodes }: GraphQLError): string {
  const node = nodes?.[0];
  if (node?.kind !== Kind.ENUM || !message.startsWith('String cannot represent')) return '';
  return `. Put it in quotes: "${cutQuoted(node.value)}".`;
}
