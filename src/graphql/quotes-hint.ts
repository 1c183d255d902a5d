import { Kind, type GraphQLError } from 'graphql';

/**
 * Says how to write an enum value that stands where the schema has free text, such as `strategy: concept_study`; '' for any
 * other error.
 */
export function toQuotesHint({ message, nodes }: GraphQLError): string {
  const node = nodes?.[0];
  if (node?.kind !== Kind.ENUM || !message.startsWith('String cannot represent')) return '';
  return `. Put it in quotes: "${node.value}".`;
}
