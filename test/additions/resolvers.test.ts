import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import {
  Authorized,
  buildSchemaSync,
  Field,
  getMetadataStorage,
  ObjectType,
  Query,
  Resolver,
  UseMiddleware,
} from 'type-graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { bindResolvers } from '../../src/graphql/resolvers.js';

// Clears type-graphql's global metadata, so that no test sees the decorators of another test.
beforeEach(() => getMetadataStorage().clear());

const build = (resolver: new () => object): GraphQLSchema =>
  buildSchemaSync({ resolvers: [resolver], validate: false, authChecker: () => false });

describe('a root field that a plan calls directly', () => {
  it('may not have @Authorized', () => {
    @Resolver()
    class Secrets {
      @Authorized()
      @Query(() => String)
      secret(): string {
        return 'secret';
      }
    }

    expect(() => bindResolvers(build(Secrets), [Secrets])).toThrow(
      'secret must not have @Authorized or @UseMiddleware',
    );
  });

  it('may not have @UseMiddleware', () => {
    @Resolver()
    class Secrets {
      @UseMiddleware(() => Promise.reject(new Error('no')))
      @Query(() => String)
      secret(): string {
        return 'secret';
      }
    }

    expect(() => bindResolvers(build(Secrets), [Secrets])).toThrow(
      'secret must not have @Authorized or @UseMiddleware',
    );
  });

  it('may not have @UseMiddleware on its class', () => {
    @Resolver()
    @UseMiddleware(() => Promise.reject(new Error('no')))
    class Secrets {
      @Query(() => String)
      secret(): string {
        return 'secret';
      }
    }

    expect(() => bindResolvers(build(Secrets), [Secrets])).toThrow(
      'secret must not have @Authorized or @UseMiddleware',
    );
  });
});

describe('a field that a plan reads directly from its object', () => {
  it('may not have @Authorized', () => {
    @ObjectType({ simpleResolvers: true })
    class Thing {
      @Authorized()
      @Field(() => String)
      secret = 'secret';
    }
    @Resolver()
    class Things {
      @Query(() => Thing)
      thing(): Thing {
        return new Thing();
      }
    }

    expect(() => bindResolvers(build(Things), [Things])).toThrow(
      'secret must not have @Authorized or @UseMiddleware',
    );
  });

  it('may not have another name in the schema', () => {
    @ObjectType({ simpleResolvers: true })
    class Thing {
      @Field(() => String, { name: 'title', nullable: true })
      name = 'a name';
    }
    @Resolver()
    class Things {
      @Query(() => Thing)
      thing(): Thing {
        return new Thing();
      }
    }

    expect(() => bindResolvers(build(Things), [Things])).toThrow(
      'name must not have another name in the schema',
    );
  });
});
