import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Int, Mutation, Query, Resolver } from 'type-graphql';
import { UuidScalar } from '../scalars/uuid.scalar.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './study-page.query.js';
import { StudyPage } from './study-page.type.js';
import type { StudyPageFields } from './study-page.wire.js';
import type { StudyApi } from './study.api.js';
import { CreateStudyInput, EditStudyInput } from './study.input.js';
import { Study } from './study.type.js';
import type { StudyFields } from './study.wire.js';

const idempotencyKeyDescription =
  'Makes a repeat safe: with the same key and the same arguments it gets what the first call got, and nothing is ' +
  'written again, for 24 hours unless configured otherwise. 1 to 255 characters of visible ASCII, such as a new UUID ' +
  'for each thing that a user does. With other arguments the same key is refused.';

/** The slice of the context that resolvers need. */
export interface StudyContext {
  readonly studies: StudyApi;
}

/** All that a resolver may ask of graphql-js's info: a plan gives no more. */
export type FieldInfo = Pick<GraphQLResolveInfo, 'path'>;

@Resolver(() => Study)
export class StudyResolver {
  @Query(() => Study, {
    nullable: true,
    description:
      'Reads a study: `GET /studies/{id}`. `null` when the Study API has none with this id (404). ' +
      'Not documented: your Study API may lack this operation.',
  })
  study(
    @Ctx() { studies }: StudyContext,
    @Arg('id', () => UuidScalar, { description: 'The study to read.' }) id: string,
  ): Promise<StudyFields | null> {
    return studies.find(id);
  }

  @Query(() => StudyPage, {
    nullable: true,
    description:
      'Lists studies, one page at a time: `GET /studies`. ' +
      'Not documented: your Study API may lack this operation or answer it in another way, which is an error with the ' +
      'code `UPSTREAM_CONTRACT`, never a wrong page.',
  })
  studies(
    @Ctx() { studies }: StudyContext,
    @Arg('page', () => Int, {
      nullable: true,
      description: 'The number of the page, from 1. The first when it is left out.',
    })
    page?: number | null,
    @Arg('size', () => Int, {
      nullable: true,
      description: `Most studies of the page, from 1 to ${MAX_PAGE_SIZE}. Likely ${DEFAULT_PAGE_SIZE} when it is left out.`,
    })
    size?: number | null,
    @Arg('projectId', () => [UuidScalar], {
      nullable: true,
      description: 'Lists only the studies of these projects, at least one.',
    })
    projectId?: string[] | null,
  ): Promise<StudyPageFields> {
    return studies.list({ page, size, projectId });
  }

  // Mutations are nullable on purpose: a non-null field that fails would erase `data`, and with it the id
  // of a study that an earlier field of the same operation has created.
  @Mutation(() => Study, {
    nullable: true,
    description:
      'Stores a new study: one `POST /studies`, with exactly the fields that are given. ' +
      '`null` only beside an error, whose `extensions.outcome` says what became of the study.',
  })
  createStudy(
    @Ctx() { studies }: StudyContext,
    @Info() { path }: FieldInfo,
    @Arg('input', () => CreateStudyInput, {
      description: 'The fields of the new study. None is known to be required.',
    })
    input: CreateStudyInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: idempotencyKeyDescription })
    idempotencyKey?: string | null,
  ): Promise<StudyFields> {
    return studies.create(String(path.key), input, idempotencyKey);
  }

  @Mutation(() => Study, {
    nullable: true,
    description:
      'Changes a study: one `PATCH /studies/{id}`, with exactly the fields that are given. ' +
      '`null` only beside an error, whose `extensions.outcome` says what became of the edit.',
  })
  editStudy(
    @Ctx() { studies }: StudyContext,
    @Info() { path }: FieldInfo,
    @Arg('id', () => UuidScalar, { description: 'The study to change.' }) id: string,
    @Arg('input', () => EditStudyInput, {
      description:
        'The fields to change. Omitted fields are not sent; whether the Study API leaves them as they are is not documented.',
    })
    input: EditStudyInput,
    @Arg('idempotencyKey', () => String, { nullable: true, description: idempotencyKeyDescription })
    idempotencyKey?: string | null,
  ): Promise<StudyFields> {
    return studies.edit(String(path.key), id, input, idempotencyKey);
  }
}
