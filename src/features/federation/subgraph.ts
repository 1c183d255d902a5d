import { GraphQLError, GraphQLScalarType, type GraphQLSchema } from 'graphql';
import { bindRoot } from 'planned-execution';
import { Arg, createUnionType, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { Bulkhead } from 'rest-outcome';
import { isUuid } from '../../scalars/formats.js';
import type { ResolverContext } from '../../context.js';
import { authorizeCall } from '../../study/authorize.js';
import { Study } from '../../study/type.js';
import type { StudyFields } from '../../study/wire.js';
import type { Class } from '../../graphql/bind-resolvers.js';
import { createSchema, resolvers, schema as ownSchema } from '../../graphql/schema.js';
import { toSdl } from '../../graphql/sdl.js';

/** Maximum number of entities in a request. A router requests many entities at once, and each takes a `GET`. */
const MAX_REPRESENTATIONS = 200;
/** Maximum number of concurrent REST calls for a request: a sixteenth of the default of `STUDY_API_MAX_CALLS`. */
const MAX_CALLS_AT_ONCE = 16;

/** Version 2.0 has `@key`, the only directive needed, and every router of Federation 2 supports this version. */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

/**
 * SDL for the composition of a supergraph, written to `schema/subgraph.graphql`. `_service { sdl }` returns the same
 * text, even if `INTROSPECTION` is off.
 */
export const subgraphSdl = toSubgraphSdl(ownSchema);

function toSubgraphSdl(schema: GraphQLSchema): string {
  const sdl = toSdl(schema).replace(/^type Study \{$/m, 'type Study @key(fields: "id") {');
  return `${link}\n\n${sdl}`;
}

const AnyScalar = new GraphQLScalarType({
  name: '_Any',
  description: 'Representation of an entity: `{ "__typename": "Study", "id": "…" }`.',
});

const Entity = createUnionType({
  name: '_Entity',
  description: 'A type that a router can request by its key.',
  types: () => [Study] as const,
  resolveType: () => Study,
});

@ObjectType('_Service', {
  simpleResolvers: true,
  description: 'Schema of this subgraph for routers.',
})
class Service {
  @Field(() => String, { description: 'The schema with its federation directives.' })
  sdl!: string;
}

@Resolver()
class SubgraphResolver {
  @Query(() => Service, {
    description: 'Returns the schema of this subgraph, to compose a supergraph.',
  })
  _service(): Service {
    return { sdl: subgraphSdl };
  }

  @Query(() => [Entity], {
    nullable: 'items',
    description:
      'Reads studies for a router: one `GET /studies/{id}` for each representation. ' +
      '`null` without an error if the Study API has no study with this id (404).',
  })
  _entities(
    @Ctx() context: ResolverContext,
    @Arg('representations', () => [AnyScalar], {
      description: `At most ${MAX_REPRESENTATIONS} representations per request.`,
    })
    representations: unknown[],
  ): Promise<Promise<StudyFields | Error | null>[]> {
    const { step, studies } = context;
    return authorizeCall(context, '_entities', { representations }, async (see) => {
      const enter = countEntities(context, representations.length);
      return representations.map(async (representation) => {
        const id = readId(representation);
        return see(id instanceof GraphQLError ? id : await enter(() => studies.find(step, id)));
      });
    });
  }
}

/** Returns `schema` with `_service` and `_entities`, which routers of Apollo Federation 2 query. @param addedClasses those of `schema` */
export function createSubgraph(
  schema: GraphQLSchema,
  addedClasses?: readonly Class[],
): GraphQLSchema {
  const subgraph = createSchema([...resolvers, SubgraphResolver], addedClasses);
  const sdl = schema === ownSchema ? subgraphSdl : toSubgraphSdl(schema);
  // Every caller may read the schema: a router asks without a token.
  bindRoot(subgraph.getQueryType()!.getFields()['_service']!, () => ({ sdl }));
  return subgraph;
}

/**
 * Counts the representations of one request. Returns a function that makes a call, at most `MAX_CALLS_AT_ONCE` at once.
 *
 * @throws GraphQLError when the request has more than `MAX_REPRESENTATIONS` representations
 */
function countEntities({ context }: ResolverContext, count: number) {
  const entities = (context.entities ??= { count: 0, bulkhead: new Bulkhead(MAX_CALLS_AT_ONCE) });
  entities.count += count;
  if (entities.count > MAX_REPRESENTATIONS)
    throw new GraphQLError(`A request may name ${MAX_REPRESENTATIONS} entities at most.`);
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await entities.bulkhead.enter();
    try {
      return await call();
    } finally {
      entities.bulkhead.leave();
    }
  };
}

function readId(representation: unknown): string | GraphQLError {
  const { __typename, id }: { __typename?: unknown; id?: unknown } = Object(representation);
  if (__typename === 'Study' && typeof id === 'string' && isUuid(id)) return id;
  return new GraphQLError('The only entity here is Study, whose id is a UUID of 36 characters.');
}
