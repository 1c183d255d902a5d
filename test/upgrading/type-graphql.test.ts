import 'reflect-metadata';
import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  getMetadataStorage,
  Info,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  UseMiddleware,
} from 'type-graphql';
import { beforeAll, describe, expect, it } from 'vitest';

const middleware = () => Promise.resolve();

// Clears type-graphql's global metadata, so that only the decorators of this file are in it.
beforeAll(() => {
  getMetadataStorage().clear();

  @ObjectType({ simpleResolvers: true })
  class Plain {
    @Authorized('a role')
    @UseMiddleware(middleware)
    @Field(() => String, { name: 'inSchema' })
    inClass = '';
  }

  @Resolver()
  class Plains {
    @Query(() => Plain, { name: 'querySchema' })
    queryMethod(
      @Arg('first', () => String) _first: string,
      @Ctx() _context: object,
      @Ctx('part') _part: object,
      @Info() _info: GraphQLResolveInfo,
    ): Plain {
      return new Plain();
    }

    @Authorized('a role')
    @UseMiddleware(middleware)
    @Mutation(() => Plain)
    change(): Plain {
      return new Plain();
    }
  }
  getMetadataStorage().build({ resolvers: [Plains] });
});

const only = <T>(list: readonly T[]): T => {
  expect(list).toHaveLength(1);
  return list[0]!;
};

describe("type-graphql's metadata, as src/execution/root-resolvers.ts reads it", () => {
  it('has the name in the schema, the method and the class of a query', () => {
    const query = only(getMetadataStorage().queries);

    expect(query).toMatchObject({ schemaName: 'querySchema', methodName: 'queryMethod' });
    expect(query.target).toHaveProperty('name', 'Plains');
  });

  it('has index, kind and name of each parameter', () => {
    const { params = [] } = only(getMetadataStorage().queries);

    expect(params.toSorted((one, other) => one.index - other.index)).toEqual([
      expect.objectContaining({ index: 0, kind: 'arg', name: 'first', methodName: 'queryMethod' }),
      expect.objectContaining({ index: 1, kind: 'context', propertyName: undefined }),
      expect.objectContaining({ index: 2, kind: 'context', propertyName: 'part' }),
      expect.objectContaining({ index: 3, kind: 'info' }),
    ]);
  });

  it('has the roles and middlewares of a mutation, and none where none are declared', () => {
    const { queries, mutations } = getMetadataStorage();

    expect(only(mutations)).toMatchObject({ roles: ['a role'], middlewares: [middleware] });
    expect(only(queries).roles).toBeUndefined();
    expect(only(queries).middlewares ?? []).toEqual([]);
  });

  it('has both names, the class, the roles and the middlewares of a field', () => {
    const field = only(getMetadataStorage().fields);

    expect(field).toMatchObject({
      name: 'inClass',
      schemaName: 'inSchema',
      roles: ['a role'],
      middlewares: [middleware],
    });
    expect(field.target).toHaveProperty('name', 'Plain');
  });

  it('has simpleResolvers of an object type', () => {
    const type = only(getMetadataStorage().objectTypes);

    expect(type).toMatchObject({ simpleResolvers: true });
    expect(type.target).toHaveProperty('name', 'Plain');
  });
});
