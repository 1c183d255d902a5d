import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { ResolverContext } from '../context.js';
import { UuidScalar } from '../scalars/scalars.js';
import { MAX_PAGE_SIZE, type StudyPageFields } from './page.js';
import { SemanticNonNull } from '../scalars/semantic-non-null.js';
import { authorizeCall } from './authorize.js';
import { CreateStudyInput, EditStudyInput } from './input.js';
import { nullable, Study, StudyPage } from './type.js';
import type { StudyFields } from './wire.js';

const idempotencyKeyDescription =
  'Makes a repeat safe: calls with the same key and the same arguments write at most once in 48 hours. ' +
  'A repeat after a write that was made reads the study again, with the token of the repeat. ' +
  'If nobody knows what became of the first call, the outcome is `UNKNOWN`, and nothing is sent. ' +
  'The same key with other arguments is refused. ' +
  'Use a new UUID for each action of a user. A gateway without Redis forgets keys at its restart.';

@Resolver(() => Study)
export class StudyResolver {
  @Query(() => Study, {
    nullable: true,
    description:
      'Reads a study: `GET /studies/{id}`. `null` if the Study API has no study with this id (404); a 404 that may come from a proxy is an error. ' +
      'This REST operation is not documented; your Study API may lack it.',
  })
  study(
    @Ctx() context: ResolverContext,
    @Arg('id', () => UuidScalar, { description: 'Id of the study.' }) id: string,
  ): Promise<StudyFields | Error | null> {
    const { step, studies } = context;
    return authorizeCall(context, 'study', { id }, async (see) =>
      see(await studies.find(step, id)),
    );
  }

  @Query(() => StudyPage, {
    nullable: true,
    description:
      'Lists studies, one page at a time: `GET /studies`. ' +
      'This REST operation is not documented; your Study API may lack it or answer in another format. ' +
      'An answer that is not the requested page is an error with the code `UPSTREAM_CONTRACT`.',
  })
  @SemanticNonNull()
  studies(
    @Ctx() context: ResolverContext,
    @Arg('page', () => Int, nullable('Page number, from 1. Default: the first page.'))
    page?: number | null,
    @Arg(
      'size',
      () => Int,
      nullable(
        `Maximum number of studies on the page, 1 to ${MAX_PAGE_SIZE}. Default: chosen by the Study API, probably 50.`,
      ),
    )
    size?: number | null,
    @Arg(
      'projectId',
      () => [UuidScalar],
      nullable('Ids of projects, at least one: lists only studies of these projects.'),
    )
    projectId?: string[] | null,
  ): Promise<StudyPageFields> {
    const { step, studies } = context;
    const args = { page, size, projectId };
    return authorizeCall(context, 'studies', args, async (see) => {
      const { items, ...numbers } = await studies.list(step, args);
      return { ...numbers, items: await Promise.all(items.map(see)) };
    });
  }

  // Mutation fields are nullable on purpose: if a non-null field failed, GraphQL would set `data` to `null`, and the id
  // of a study that an earlier field of the operation has created would be lost.
  @SemanticNonNull()
  @Mutation(() => Study, {
    nullable: true,
    description:
      'Creates a study: one `POST /studies` with exactly the given fields. ' +
      '`null` only together with an error, whose `extensions.outcome` tells whether the study was stored.',
  })
  createStudy(
    @Ctx() context: ResolverContext,
    @Arg('input', () => CreateStudyInput, {
      description: 'Fields of the new study. No field is known to be required.',
    })
    input: CreateStudyInput,
    @Arg('idempotencyKey', () => UuidScalar, nullable(idempotencyKeyDescription))
    idempotencyKey?: string | null,
  ): Promise<StudyFields | Error> {
    const { step, studies } = context;
    const args = { input, idempotencyKey };
    return authorizeCall(context, 'createStudy', args, async (see) =>
      see(await studies.create(step, input, idempotencyKey)),
    );
  }

  @SemanticNonNull()
  @Mutation(() => Study, {
    nullable: true,
    description:
      'Edits a study: one `PATCH /studies/{id}` with exactly the given fields. ' +
      '`null` only together with an error, whose `extensions.outcome` tells whether the edit was stored.',
  })
  editStudy(
    @Ctx() context: ResolverContext,
    @Arg('id', () => UuidScalar, { description: 'Id of the study.' }) id: string,
    @Arg('input', () => EditStudyInput, {
      description:
        'Fields to change. Omitted fields are not sent; whether the Study API leaves them unchanged is not documented.',
    })
    input: EditStudyInput,
    @Arg('idempotencyKey', () => UuidScalar, nullable(idempotencyKeyDescription))
    idempotencyKey?: string | null,
  ): Promise<StudyFields | Error> {
    const { step, studies } = context;
    const args = { id, input, idempotencyKey };
    return authorizeCall(context, 'editStudy', args, async (see) =>
      see(await studies.edit(step, id, input, idempotencyKey)),
    );
  }
}
