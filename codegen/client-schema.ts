import { buildSchema, Kind, parse, print, visit, type NamedTypeNode } from 'graphql';
import { schema as served } from '../src/graphql/schema.js';
import { toSdl } from '../src/graphql/sdl.js';

/** Name of the scalar in this schema, and of the type that `codegen/strategies.ts` writes. */
export const STRATEGY_TYPE = 'StudyStrategy';

/** Replaces the type of each field `strategy`, in outputs and inputs. */
function withStrategyType<Field extends { readonly name: { readonly value: string } }>(
  field: Field,
): Field | undefined {
  if (field.name.value !== 'strategy') return undefined;
  const name = { kind: Kind.NAME, value: STRATEGY_TYPE } as const;
  const type: NamedTypeNode = { kind: Kind.NAMED_TYPE, name };
  return { ...field, type };
}

const document = visit(parse(toSdl(served)), {
  FieldDefinition: withStrategyType,
  InputValueDefinition: withStrategyType,
});

/**
 * The schema from which codegen writes the client's types: `strategy` has a scalar of its own, because codegen gives all
 * fields of one scalar the same TypeScript type. Clients at run time see the `String` of the served schema.
 */
export const schema = buildSchema(`${print(document)}\nscalar ${STRATEGY_TYPE}\n`);
