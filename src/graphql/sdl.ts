import {
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type ObjectTypeDefinitionNode,
} from 'graphql';

/**
 * Prints a schema, sorted by name, with the directives of its fields. Introspection cannot carry directives of fields, and
 * `printSchema` of graphql-js leaves them out.
 */
export function toSdl(schema: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(schema)));
  const toField = (type: string, field: FieldDefinitionNode): FieldDefinitionNode => {
    const directives = findDirectives(schema, type, field.name.value);
    return { ...field, directives: [...(field.directives ?? []), ...directives] };
  };
  const toType = (node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode => ({
    ...node,
    fields: node.fields?.map((field) => toField(node.name.value, field)) ?? [],
  });
  return `${print(visit(document, { ObjectTypeDefinition: toType }))}\n`;
}

/** The directives that `@Directive` of type-graphql has left at a field. */
function findDirectives(schema: GraphQLSchema, typeName: string, fieldName: string) {
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  return field?.astNode?.directives ?? [];
}
