import {
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
  type GraphQLSchema,
  type ObjectTypeDefinitionNode,
} from 'graphql';

/**
 * Returns the SDL of a schema, sorted by name. Includes the directives of fields, which `printSchema` of graphql-js
 * leaves out.
 */
export function toSdl(schema: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(schema)));
  const ObjectTypeDefinition = (node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode => {
    const type = schema.getType(node.name.value);
    const known = isObjectType(type) ? type.getFields() : {};
    const fields = node.fields?.map((field) => {
      // type-graphql's `@Directive` has attached them.
      const attached = known[field.name.value]?.astNode?.directives ?? [];
      return { ...field, directives: [...(field.directives ?? []), ...attached] };
    });
    return { ...node, fields: fields ?? [] };
  };
  return `${print(visit(document, { ObjectTypeDefinition }))}\n`;
}
