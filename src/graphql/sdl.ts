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
 * Returns the SDL of a schema, sorted by name. Includes the directives of fields, which `printSchema` of graphql-js
 * leaves out.
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

/** Returns the directives that type-graphql's `@Directive` has attached to a field. */
function findDirectives(schema: GraphQLSchema, typeName: string, fieldName: string) {
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  return field?.astNode?.directives ?? [];
}
