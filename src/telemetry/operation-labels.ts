import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { findRootFields } from 'planned-execution';

/** Labels of an operation, which metrics and spans share. */
export interface OperationLabels {
  /** A root field of the schema; `several`, or `other` without one. */
  readonly root_field: string;
  /** Name of the operation. Absent unless only trusted documents run, because otherwise callers make up the name. */
  readonly operation_name?: string;
}

export type OperationLabeller = ReturnType<typeof createOperationLabels>;

/** Takes the labels of operations from a schema. @param areTrusted whether only trusted documents run */
export function createOperationLabels(schema: GraphQLSchema, areTrusted: boolean) {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const fields = new Set(roots.flatMap((type) => Object.keys(type?.getFields() ?? {})));

  return {
    areTrusted,
    rootFields: [...fields, 'several', 'other'],
    toLabels: (
      document: DocumentNode | undefined,
      operation: OperationDefinitionNode | undefined,
    ): OperationLabels => {
      if (!document || !operation) return { root_field: 'other' };
      const nodes = findRootFields(document, operation);
      const [field = 'other', ...more] = new Set(nodes.map(({ name }) => name.value));
      const root_field = more.length > 0 ? 'several' : fields.has(field) ? field : 'other';
      if (!areTrusted) return { root_field };
      return { root_field, operation_name: operation.name?.value ?? 'anonymous' };
    },
  };
}
