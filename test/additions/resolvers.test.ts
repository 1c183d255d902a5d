import 'reflect-metadata';
import {
  Authorized,
  buildSchemaSync,
  getMetadataStorage,
  Query,
  Resolver,
  UseMiddleware,
} from 'type-graphql';
import { beforeEach, expect, it } from 'vitest';
import { bindResolvers } from '../../src/graphql/resolvers.js';

// Clears type-graphql's global metadata, so that no test sees the decorators of another test.
beforeEach(() => getMetadataStorage().clear());

const refuse = UseMiddleware(() => Promise.reject(new Error('no')));
const nothing = (): void => {};

type Row = readonly [what: string, onClass: ClassDecorator, onRoot: MethodDecorator];

it.each<Row>([
  ['@Authorized on a root field', nothing, Authorized()],
  ['@UseMiddleware on a root field', nothing, refuse],
  ['@UseMiddleware on a resolver', refuse, nothing],
])('%s ends the start, because a direct call would ignore it', (_, onClass, onRoot) => {
  @Resolver()
  @onClass
  class Things {
    @onRoot
    @Query(() => String)
    thing(): string {
      return 'thing';
    }
  }
  const schema = buildSchemaSync({
    resolvers: [Things],
    validate: false,
    authChecker: () => false,
  });

  expect(() => bindResolvers(schema, [Things])).toThrow(
    'thing must not have @Authorized or @UseMiddleware',
  );
});
