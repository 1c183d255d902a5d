import { GraphQLError, GraphQLScalarType, type GraphQLSchema } from 'graphql';
import {
  Arg,
  buildSchemaSync,
  createUnionType,
  Ctx,
  Field,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { Bulkhead } from '../rest/bulkhead.js';
import { UuidScalar } from '../scalars/uuid.scalar.js';
import { StudyResolver, type StudyContext } from '../study/study.resolver.js';
import { Study } from '../study/study.type.js';
import type { StudyFields } from '../study/study.wire.js';
import { callDirectly } from './direct-resolvers.js';
import { directives, schema } from './schema.js';
import { toSdl } from './sdl.js';

/** Most entities of one request. A router sends those of a whole answer in one list; each is a GET of its own. */
const MAX_REPRESENTATIONS = 200;
/** Most calls of one request at once: a sixteenth of `STUDY_API_MAX_CALLS` by default. */
const MAX_CALLS_AT_ONCE = 16;

/** 2.0, because `@key` is all that is needed, and every router of Federation 2 knows it. */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])';

const sdl = toSdl(schema).replace(/^type Study \{$/m, 'type Study @key(fields: "id") {');

/** The schema for composition: `schema/subgraph.graphql`, and `_service { sdl }` whatever `INTROSPECTION` is. */
export const subgraphSdl = `${link}\n\n${sdl}`;

const AnyScalar = new GraphQLScalarType({
  name: '_Any',
  description: 'Names an entity: `{ "__typename": "Study", "id": "…" }`.',
});

const Entity = createUnionType({
  name: '_Entity',
  description: 'What a router can ask for by its key.',
  types: () => [Study] as const,
  resolveType: () => Study,
});

@ObjectType('_Service', { simpleResolvers: true, description: 'What a router composes with.' })
class Service {
  @Field(() => String, { description: 'The schema with its federation directives.' })
  sdl!: string;
}

interface SubgraphContext extends StudyContext {
  entities?: Entities;
}

@Resolver()
class SubgraphResolver {
  @Query(() => Service, { description: 'For the composition of a supergraph.' })
  _service(): Service {
    return { sdl: subgraphSdl };
  }

  @Query(() => [Entity], {
    nullable: 'items',
    description:
      'For routers: `GET /studies/{id}`, once for each id. `null` without an error when the Study API has none (404).',
  })
  _entities(
    @Ctx() context: SubgraphContext,
    @Arg('representations', () => [AnyScalar], {
      description: `${MAX_REPRESENTATIONS} in one request at most.`,
    })
    representations: unknown[],
  ): (Promise<StudyFields | null> | GraphQLError)[] {
    context.entities ??= new Entities(context);
    return context.entities.find(representations);
  }
}

/** The schema with what a router of Apollo Federation 2 asks a subgraph for. */
export const subgraph: GraphQLSchema = buildSchemaSync({
  resolvers: [StudyResolver, SubgraphResolver],
  directives,
  validate: false,
  skipCheck: true,
});
callDirectly(subgraph, new StudyResolver());
callDirectly(subgraph, new SubgraphResolver());

/** The entities of one request, each fetched once, however many lists and places it is in. */
class Entities {
  readonly #found = new Map<string, Promise<StudyFields | null>>();
  readonly #bulkhead = new Bulkhead(MAX_CALLS_AT_ONCE);
  #count = 0;

  constructor(private readonly context: StudyContext) {}

  /** In their order. An error stands in its own place. */
  find(representations: readonly unknown[]) {
    this.#count += representations.length;
    if (this.#count > MAX_REPRESENTATIONS)
      throw new GraphQLError(`A request may name ${MAX_REPRESENTATIONS} entities at most.`);
    return representations.map((representation) => {
      const id = readId(representation);
      return id instanceof GraphQLError ? id : this.#find(id);
    });
  }

  #find(id: string): Promise<StudyFields | null> {
    let study = this.#found.get(id);
    if (study === undefined) {
      study = this.#fetch(id);
      this.#found.set(id, study);
    }
    return study;
  }

  async #fetch(id: string): Promise<StudyFields | null> {
    await this.#bulkhead.enter();
    try {
      return await this.context.studies.find(id);
    } finally {
      this.#bulkhead.leave();
    }
  }
}

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
