import type { ApolloServerPlugin } from '@apollo/server';
import { memoryStore, type KeyStore } from 'rest-outcome';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
  UseMiddleware,
} from 'type-graphql';
import { expect, it } from 'vitest';
import {
  authorizeCall,
  Study,
  type Action,
  type Additions,
  type Context,
  type ResolverContext,
} from '../../src/index.js';
import type { StudyFields } from '../../src/study/wire.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { toLedger } from '../support/operations.js';
import { answerJson } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const { id, projectId, description } = wholeStudy;

/** An added type with an `id`, whose fields type-graphql resolves. */
@ObjectType()
class Project {
  @Field(() => ID)
  id!: string;

  @Field(() => [Study], { nullable: 'itemsAndList' })
  studies?: StudyFields[];
}

const uses: string[] = [];

@Resolver(() => Study)
class Projects {
  @Query(() => Project, { nullable: true })
  @UseMiddleware(async (_, next) => {
    uses.push('middleware');
    return next();
  })
  async project(@Ctx() context: ResolverContext, @Arg('id', () => ID) id: string): Promise<object> {
    const { step, studies } = context;
    uses.push(await context.context.caller.callerId());
    return authorizeCall(context, 'project', { id }, async (see) => {
      const { items } = await studies.list(step, { projectId: [id] });
      return { id, studies: await Promise.all(items.map(see)) };
    });
  }

  @Mutation(() => Boolean, { nullable: true })
  async importStudy(@Ctx() { step, studies }: ResolverContext): Promise<boolean> {
    await studies.create(step, { description: 'imported' });
    throw new Error('a defect after the write');
  }

  @Mutation(() => Boolean, { nullable: true })
  async importTwice(@Ctx() { step, studies }: ResolverContext): Promise<boolean> {
    await studies.create(step, { description: 'once' });
    await studies.create(step, { description: 'twice' });
    return true;
  }

  @FieldResolver(() => Study, { nullable: true })
  latest(@Ctx() { step, studies }: ResolverContext, @Root() { id }: StudyFields) {
    return studies.find(step, String(id));
  }

  @FieldResolver(() => Boolean, { nullable: true })
  async written(@Ctx() { step, studies }: ResolverContext): Promise<boolean> {
    await studies.create(step, { description: 'by a field' });
    return true;
  }
}

const start = (options: TestGatewayOptions) =>
  startTestGateway({ api: answerJson(wholeStudy), ...options });

it('an Apollo plugin hears of an operation, and changes its response', async () => {
  const plugin: ApolloServerPlugin<Context> = {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue, response }) => {
        response.http.headers.set('x-calls', String(contextValue.ledger.calls));
      },
    }),
  };
  const { post } = await start({ additions: { plugins: [plugin] } });

  const { headers } = await post({ query: 'mutation { createStudy(input: {}) { id } }' });

  expect(headers.get('x-calls')).toBe('1');
});

it('a part adds a route and a hook, which have the headers and the checks of the gateway', async () => {
  const { url, post, calls } = await start({
    additions: {
      parts: [
        (app) => {
          app.addHook('onRequest', async (request, reply) => {
            void reply.header('x-added', 'yes');
            if (request.headers['x-refused'] !== undefined) return reply.code(402).send({});
            return undefined;
          });
          app.get('/added', async () => ({ added: true }));
        },
      ],
    },
  });

  const added = await fetch(`${url}/added`);
  expect(await added.json()).toEqual({ added: true });
  expect(added.headers.get('x-content-type-options')).toBe('nosniff');
  expect(added.headers.get('x-request-id')).toEqual(expect.any(String));
  const query = 'mutation { createStudy(input: {}) { id } }';
  const refused = await post({ query }, { 'x-refused': '' });
  expect(refused.headers.get('x-added')).toBe('yes');
  const { status } = await post({ query }, { 'x-refused': 'yes' });
  expect(status).toBe(402);
  expect(calls).toHaveLength(1);
});

it('a store of keys stands in place of the gateway’s own', async () => {
  const store = memoryStore({ ttlMs: 60_000 });
  const claims: string[] = [];
  const keys: KeyStore = {
    ...store,
    claim: (...of) => {
      claims.push(of[0]);
      return store.claim(...of);
    },
  };
  const query =
    'mutation { createStudy(input: {}, idempotencyKey: "7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11") { id } }';
  const { graphql, calls } = await start({ additions: { keys } });

  await graphql(query);
  await graphql(query);

  expect(claims).toHaveLength(2);
  expect(new Set(claims).size).toBe(1);
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

it('a resolver class adds operations and fields, whose calls are those of their root field', async () => {
  const api = answerJson({ items: [wholeStudy], total: 1, page: 1, size: 50, pages: 1 });
  const gateway = await start({ api, additions: { resolvers: [Projects] } });
  uses.length = 0;

  const answer = await gateway.graphql(
    `{ project(id: "${projectId}") { id studies { id description } } }`,
  );

  expect(answer).toEqual({ data: { project: { id: projectId, studies: [{ id, description }] } } });
  expect(uses).toEqual(['middleware', expect.any(String)]);
  expect(toLedger(gateway)).toEqual([`GET /studies?projectId=${projectId}`]);
});

it('a field of an added class calls the API, beside a study of ours', async () => {
  const gateway = await start({ additions: { resolvers: [Projects] } });

  const answer = await gateway.graphql(
    'mutation { made: createStudy(input: {}) { id latest { id latest { description } } } }',
  );

  expect(answer).toEqual({ data: { made: { id, latest: { id, latest: { description } } } } });
  const read = `GET /studies/${id}`;
  expect(toLedger(gateway)).toEqual(['POST /studies', read, read]);
});

it('an added mutation tells what became of its write, and makes one write at most', async () => {
  const { graphql, calls } = await start({ additions: { resolvers: [Projects] } });

  const { data, errors } = await graphql('mutation { importStudy importTwice }');

  expect(data).toEqual({ importStudy: null, importTwice: null });
  expect(errors?.map(({ extensions }) => extensions?.['outcome'])).toEqual(['APPLIED', 'APPLIED']);
  expect(calls.map(({ body }) => body)).toEqual([
    '{"description":"imported"}',
    '{"description":"once"}',
  ]);
});

it('an added resolver asks authorize before its calls, and before it shows a study', async () => {
  const api = answerJson({ ...wholeStudy, items: [wholeStudy], page: 1 });
  let refused = '';
  const authorize = (_: unknown, { operation, args, result }: Action): boolean => {
    expect(args).toEqual({ id: projectId });
    return (result ? `${operation}: ${String(result.id)}` : operation) !== refused;
  };
  const { graphql, calls } = await start({ api, additions: { resolvers: [Projects], authorize } });
  const run = async (question: string) => {
    refused = question;
    const { data, errors = [] } = await graphql(
      `{ project(id: "${projectId}") { studies { id } } }`,
    );
    return { data, codes: errors.map(({ extensions }) => extensions['code']), calls: calls.length };
  };

  expect(await run('')).toEqual({ data: { project: { studies: [{ id }] } }, codes: [], calls: 1 });
  expect(await run(`project: ${id}`)).toEqual({
    data: { project: { studies: [null] } },
    codes: ['FORBIDDEN'],
    calls: 2,
  });
  expect(await run('project')).toEqual({ data: { project: null }, codes: ['FORBIDDEN'], calls: 2 });
});

it('serves what is added in the schema, and in the subgraph, of that gateway alone', async () => {
  const added = await start({ federation: true, additions: { resolvers: [Projects] } });
  const plain = await start({});

  const { data } = await added.graphql<{ _service: { sdl: string } }>('{ _service { sdl } }');
  const { errors } = await plain.graphql('{ project(id: "1") { id } }');

  expect(data?._service.sdl).toMatch(
    /^type Study @key\(fields: "id"\) \{$[^}]*^ {2}latest: Study$/m,
  );
  expect(data?._service.sdl).toMatch(/^type Project \{$/m);
  expect(errors).toHaveLength(1);
});

@Resolver()
class AnotherStudy {
  @Query(() => String)
  study(): string {
    return 'mine';
  }
}

@Resolver()
class Ticks {
  @Subscription(() => String, { topics: 'ticks' })
  tick(): string {
    return 'tick';
  }
}

it.each([
  {
    when: 'a second resolver of a field',
    resolver: AnotherStudy,
    reason: 'study has two resolvers',
  },
  { when: 'a subscription', resolver: Ticks, reason: "Subscriptions can't work" },
])('does not start with $when', async ({ resolver, reason }) => {
  await expect(start({ additions: { resolvers: [resolver] } })).rejects.toThrow(reason);
});

it.each([
  { additions: { authorise: () => false }, reason: '"authorise" is no addition to the gateway.' },
  { additions: { authorize: undefined }, reason: 'authorize must be a function.' },
])('does not start with $additions', async ({ additions, reason }) => {
  await expect(start({ additions: additions as Additions })).rejects.toThrow(reason);
});
