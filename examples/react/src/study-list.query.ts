import { gql, type TypedDocumentNode } from '@apollo/client';
import type {
  StudiesQuery,
  StudiesQueryVariables,
  StudyFieldsFragment,
} from 'study-gateway-client';

/** Fields of a study that a row shows. The types of `study-gateway-client` are nullable, as `errorPolicy: 'all'` needs. */
export type ListedStudy = Pick<
  StudyFieldsFragment,
  'id' | 'description' | 'createdAt' | 'status' | 'strategy'
>;

interface StudyListQuery {
  readonly studies:
    | (Omit<NonNullable<StudiesQuery['studies']>, 'items'> & {
        readonly items: readonly (ListedStudy | null)[] | null;
      })
    | null;
}

/**
 * Asks for no more than rows show, so that a field which is not shown cannot be an error. None of these fields is
 * `@semanticNonNull`: `null` in the cache is within the strict types of the hooks.
 */
export const StudyListDocument: TypedDocumentNode<StudyListQuery, StudiesQueryVariables> = gql`
  query StudyList($page: Int, $size: Int) {
    studies(page: $page, size: $size) {
      items {
        id
        description
        createdAt
        status
        strategy
      }
      page
      total
      pages
    }
  }
`;
