import { Authorized, buildSchemaSync, Query, Resolver, UseMiddleware } from 'type-graphql';
import { expect, it } from 'vitest';
import { bindResolvers } from '../../src/graphql/bind-resolvers.js';
import { startTestGateway } from '../support/gateway.js';

it('@UseMiddleware on an own root field ends the start, because a direct call would ignore it', () => {
  @Resolver()
  class Things {
    @UseMiddleware(() => Promise.reject(new Error('no')))
    @Query(() => String)
    thing(): string {
      return 'thing';
    }
  }
  const schema = buildSchemaSync({ resolvers: [Things], validate: false });

  expect(() => bindResolvers(schema, [Things])).toThrow('thing must not have @UseMiddleware');
});

// In this order: type-graphql keeps what a class has declared.
it.each<[string, ClassDecorator, MethodDecorator]>([
  ['a class', Authorized(), () => {}],
  ['a field', () => {}, Authorized()],
])(
  '@Authorized on %s ends the start, because type-graphql would ignore it',
  async (_, onClass, onField) => {
    @Resolver()
    @onClass
    class Secrets {
      @onField
      @Query(() => String)
      secret(): string {
        return 'secret';
      }
    }

    await expect(startTestGateway({ additions: { resolvers: [Secrets] } })).rejects.toThrow(
      '@Authorized has no effect: the addition authorize decides.',
    );
  },
);
