import { GraphQLError, GraphQLScalarType, type GraphQLSchema } from 'graphql';
import { bindRoot } from 'planned-execution';
import { Arg, createUnionType, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { Bulkhead } from 'rest-outcome';
import { UuidScalar } from '../scalars/scalars.js';
import type { StudyApi } from '../study/api.js';
import type { StudyContext } from '../study/resolver.js';
import { Study } from '../study/type.js';
import type { StudyFields } from '../study/wire.js';
import type { RootOptions } from '../execution/root-resolvers.js';
import { createSchema, resolvers, schema as served } from './schema.js';
import { toSdl } from './sdl.js';

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
export const subgraphSdl = toSubgraphSdl(served);

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

/** The context that the resolvers of the subgraph get: that of their root field. */
export interface SubgraphContext extends StudyContext {
  /** Object that all root fields of the operation share, and no other operation has. */
  readonly scope: object;
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
    @Ctx() { scope, studies }: SubgraphContext,
    @Arg('representations', () => [AnyScalar], {
      description: `At most ${MAX_REPRESENTATIONS} representations per request.`,
    })
    representations: unknown[],
  ): (Promise<StudyFields | null> | GraphQLError)[] {
    const entities = entitiesByScope.get(scope) ?? new Entities(studies);
    entitiesByScope.set(scope, entities);
    return entities.find(representations);
  }
}

/** Returns `schema` with `_service` and `_entities`, which routers of Apollo Federation 2 query. @param options those of `schema` */
export function createSubgraph(schema: GraphQLSchema, options: RootOptions): GraphQLSchema {
  const subgraph = createSchema([...resolvers, SubgraphResolver], options);
  const sdl = schema === served ? subgraphSdl : toSubgraphSdl(schema);
  // Every caller may read the schema: a router asks without a token.
  bindRoot(subgraph.getQueryType()!.getFields()['_service']!, () => ({ sdl }));
  return subgraph;
}

/** Fetches the entities of one request, each representation by a call of its own: a router names an entity once. */
class Entities {
  readonly #bulkhead = new Bulkhead(MAX_CALLS_AT_ONCE);
  #count = 0;

  constructor(private readonly studies: StudyApi) {}

  /**
   * Returns the studies in the order of `representations`, with an error in the place of an invalid representation.
   *
   * @throws GraphQLError when the request has more than `MAX_REPRESENTATIONS` representations
   */
  find(representations: readonly unknown[]) {
    this.#count += representations.length;
    if (this.#count > MAX_REPRESENTATIONS)
      throw new GraphQLError(`A request may name ${MAX_REPRESENTATIONS} entities at most.`);
    return representations.map((representation) => {
      const id = readId(representation);
      return id instanceof GraphQLError ? id : this.#fetch(id);
    });
  }

  async #fetch(id: string): Promise<StudyFields | null> {
    await this.#bulkhead.enter();
    try {
      return await this.studies.find(id);
    } finally {
      this.#bulkhead.leave();
    }
  }
}

const entitiesByScope = new WeakMap<object, Entities>();

function readId(representation: unknown): string | GraphQLError {
  const { __typename, id }: { __typename?: unknown; id?: unknown } = Object(representation);
  if (__typename !== 'Study') return new GraphQLError('The only entity here is Study.');
  try {
    return UuidScalar.parseValue(id);
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    const { message } = cause;
    return new GraphQLError(message, { extensions: { fieldErrors: [{ path: ['id'], message }] } });
  }
}
