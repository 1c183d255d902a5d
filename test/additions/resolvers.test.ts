import 'reflect-metadata';
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
import { beforeEach, expect, it } from 'vitest';
import { bindResolvers } from '../../src/graphql/resolvers.js';

// Clears type-graphql's global metadata, so that no test sees the decorators of another test.
beforeEach(() => getMetadataStorage().clear());

type Decorate = (target: object, name: string) => void;

/** Makes a resolver of the field `thing { secret }`, with decorators that a direct call or read would ignore. */
function createThings({
  onClass = () => {},
  onRoot = () => {},
  onField = () => {},
  name = 'secret',
}: {
  onClass?: (target: new () => object) => void;
  onRoot?: Decorate;
  onField?: Decorate;
  name?: string;
}): new () => object {
  @ObjectType({ simpleResolvers: true })
  class Thing {
    @onField
    @Field(() => String, { name, nullable: true })
    secret = 'secret';
  }
  @Resolver()
  @onClass
  class Things {
    @onRoot
    @Query(() => Thing)
    thing(): Thing {
      return new Thing();
    }
  }
  return Things;
}

const ignored = 'must not have @Authorized or @UseMiddleware';
const refuse = (): Promise<never> => Promise.reject(new Error('no'));

it.each([
  ['@Authorized on a root field', { onRoot: Authorized() }, `thing ${ignored}`],
  ['@UseMiddleware on a root field', { onRoot: UseMiddleware(refuse) }, `thing ${ignored}`],
  ['@UseMiddleware on a resolver', { onClass: UseMiddleware(refuse) }, `thing ${ignored}`],
  ['@Authorized on a field', { onField: Authorized() }, `secret ${ignored}`],
  ['another name of a field', { name: 'title' }, 'secret must not have another name in the schema'],
])('%s ends the start, because it would be ignored', (_, decorators, message) => {
  const Things = createThings(decorators);
  const schema = buildSchemaSync({
    resolvers: [Things],
    validate: false,
    authChecker: () => false,
  });

  expect(() => bindResolvers(schema, [Things])).toThrow(message);
});
