import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ScratchCopy } from '../support/scratch-copy.js';

/** A second noun, as a stranger would write it by CONTRIBUTING.md: notes at `/notes`. */
const files: Readonly<Record<string, string>> = {
  'note.type.ts': `
import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'The progress of a note.' })
export class NoteProgress {
  @Field(() => Int, { nullable: true, description: 'How much is done.' })
  done?: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'A note.' })
export class Note {
  @Field(() => ID, { description: 'Id of the note.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Free text.' })
  text?: string | null;

  @Field(() => NoteProgress, { nullable: true, description: 'What is done.' })
  progress?: NoteProgress | null;
}
`,
  'note.input.ts': `
import { Field, InputType } from 'type-graphql';

@InputType({ description: 'Fields of a note.' })
export class NoteInput {
  @Field(() => String, { nullable: true, description: 'Free text.' })
  text?: string | null;
}
`,
  'note.wire.ts': `
import { z } from 'zod';
import type { JsonObject } from 'rest-outcome';
import { isUuid } from '../scalars/formats.js';
import { DriftError } from '../study/drift.js';
import { readFields } from '../study/wire.js';

const noteSchema = z.object({
  id: z.guid('a UUID'),
  text: z.string('a string or null').nullish(),
  progress: z.object({ done: z.int32('an integer').nullish() }, 'an object or null').nullish(),
});

export type NoteFields = Readonly<Record<string, unknown>>;

/** Returns the id in an answer; \`undefined\` if there is none, \`null\` if it is not a UUID. */
export function readNoteId({ id }: JsonObject): string | null | undefined {
  if (id === 'unreadable') throw new TypeError('no id');
  if (typeof id === 'string' && isUuid(id)) return id;
  return id === undefined ? undefined : null;
}

export function toNote(answer: JsonObject): NoteFields {
  return readFields(noteSchema.shape, answer, '', (...drift) => new DriftError(...drift));
}
`,
  'note.api.ts': `
import { RestError, type Entity, type Read, type Step } from 'rest-outcome';
import type { NoteInput } from './note.input.js';
import { readNoteId, toNote, type NoteFields } from './note.wire.js';

export class NoteApi {
  async create(step: Step, input: NoteInput, key?: string | null): Promise<NoteFields> {
    const answer = await step.write({
      method: 'POST',
      path: '/notes',
      template: '/notes',
      body: JSON.stringify(input),
      noun: 'note',
      entity: { readId: readNoteId },
      key: key ?? undefined,
    });
    return toNote(answer);
  }

  async edit(step: Step, id: string, input: NoteInput): Promise<NoteFields> {
    const call = { method: 'PATCH', ...toNoteCall(id), body: JSON.stringify(input) } as const;
    return toNote(await step.write(call));
  }

  /** Deletes a note: any 2xx that shows the note, or a 204. */
  async remove(step: Step, id: string): Promise<string> {
    try {
      await step.write({ method: 'DELETE', ...toNoteCall(id) });
    } catch (error) {
      if (!(error instanceof RestError && error.status === 204)) throw error;
    }
    return id;
  }

  async find(step: Step, id: string): Promise<NoteFields | null> {
    try {
      return toNote(await step.read(toNoteCall(id)));
    } catch (error) {
      const isMissing = error instanceof RestError && error.failure === 'notFound';
      if (isMissing && error.status === 404) return null;
      throw error;
    }
  }
}

function toNoteCall(id: string): Read & { readonly entity: Entity } {
  const isAskedFor = (other: string): boolean => other.toLowerCase() === id.toLowerCase();
  const path = \`/notes/\${encodeURIComponent(id)}\`;
  const entity = { readId: readNoteId, isAskedFor };
  return { path, template: '/notes/{note_id}', noun: 'note', entity };
}
`,
  'note.resolver.ts': `
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { ResolverContext } from '../context.js';
import { UuidScalar } from '../scalars/scalars.js';
import { authorizeCall } from '../study/authorize.js';
import { NoteInput } from './note.input.js';
import { Note } from './note.type.js';
import type { NoteFields } from './note.wire.js';

@Resolver(() => Note)
export class NoteResolver {
  @Query(() => Note, { nullable: true, description: 'Reads a note.' })
  note(
    @Ctx() field: ResolverContext,
    @Arg('id', () => UuidScalar) id: string,
  ): Promise<NoteFields | Error | null> {
    const { step, notes } = field;
    return authorizeCall(field, 'note', { id }, async (see) => see(await notes.find(step, id)));
  }

  @Mutation(() => Note, { nullable: true, description: 'Creates a note.' })
  createNote(
    @Ctx() field: ResolverContext,
    @Arg('input', () => NoteInput) input: NoteInput,
    @Arg('idempotencyKey', () => UuidScalar, { nullable: true }) idempotencyKey?: string | null,
  ): Promise<NoteFields | Error> {
    const { step, notes } = field;
    return authorizeCall(field, 'createNote', {}, async (see) =>
      see(await notes.create(step, input, idempotencyKey)),
    );
  }

  @Mutation(() => Note, { nullable: true, description: 'Edits a note.' })
  editNote(
    @Ctx() field: ResolverContext,
    @Arg('id', () => UuidScalar) id: string,
    @Arg('input', () => NoteInput) input: NoteInput,
  ): Promise<NoteFields | Error> {
    const { step, notes } = field;
    return authorizeCall(field, 'editNote', { id }, async (see) =>
      see(await notes.edit(step, id, input)),
    );
  }

  @Mutation(() => ID, { nullable: true, description: 'Deletes a note.' })
  deleteNote(
    @Ctx() field: ResolverContext,
    @Arg('id', () => UuidScalar) id: string,
  ): Promise<string> {
    const { step, notes } = field;
    return authorizeCall(field, 'deleteNote', { id }, () => notes.remove(step, id));
  }
/* careless */
}
`,
};

/** A mutation of the noun by a careless author. `how` says what the resolver does wrong. */
const careless = `
  @Mutation(() => Note, { nullable: true, description: 'Creates a note carelessly.' })
  async carelessNote(
    @Ctx() { step, notes }: ResolverContext,
    @Arg('how', () => String) how: string,
    @Arg('input', () => NoteInput) input: NoteInput,
  ): Promise<NoteFields> {
    switch (how) {
      case 'throws before its write':
        throw new GraphQLError('no');
      case 'throws after its write':
        await notes.create(step, input);
        throw new GraphQLError('no', { extensions: { outcome: 'NOT_SENT' } });
      case 'swallows the error of its write, and throws':
        await notes.create(step, input).catch(() => {});
        throw new TypeError('no');
      case 'reads before its write, and throws':
        await notes.find(step, randomUUID());
        await notes.create(step, input);
        throw new GraphQLError('no');
      case 'writes twice':
        await notes.create(step, input);
        return notes.create(step, input);
      case 'writes twice at once':
        return (await Promise.all([notes.create(step, input), notes.create(step, input)]))[0];
      case 'forgets to await its write, and throws':
        void notes.create(step, input).catch(() => {});
        throw new GraphQLError('no', { extensions: { outcome: 'NOT_SENT' } });
      case 'keeps its calls':
        kept = step;
        throw new GraphQLError('no');
      case 'writes by the calls of an earlier operation':
        await notes.create(kept!, input);
        throw new GraphQLError('no');
      case 'writes after it has thrown':
        setTimeout(() => void notes.create(step, input).catch(() => {}), 10);
        throw new GraphQLError('no');
      default:
        throw new Error(how);
    }
  }

  @Query(() => Note, { nullable: true, description: 'Writes.' })
  async writingQuery(
    @Ctx() { step, notes }: ResolverContext,
    @Arg('input', () => NoteInput) input: NoteInput,
  ): Promise<NoteFields> {
    await notes.create(step, input);
    throw new GraphQLError('no');
  }
`;

const carelessImports = `
import { randomUUID } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Step } from 'rest-outcome';

let kept: Step | undefined;

`;

/** Edits outside of the noun's folder: a file, a part of an existing line, and the text that replaces this part. */
const edits: readonly (readonly [file: string, part: RegExp, text: string])[] = [
  [
    'src/graphql/schema.ts',
    /^import { StudyResolver.*$/m,
    `$&\nimport { NoteResolver } from '../note/note.resolver.js';`,
  ],
  ['src/graphql/schema.ts', /(?<=resolvers = \[StudyResolver)/, ', NoteResolver'],
  [
    'src/context.ts',
    /^import type { StudyApi.*$/m,
    `$&\nimport type { NoteApi } from './note/note.api.js';`,
  ],
  ['src/context.ts', /^ *readonly studies: StudyApi;$/m, '$&\n  readonly notes: NoteApi;'],
  [
    'src/gateway.ts',
    /^import { StudyApi }.*$/m,
    `$&\nimport { NoteApi } from './note/note.api.js';`,
  ],
  ['src/gateway.ts', /(?<=apis = { studies: [^}]*)(?= };)/, ', notes: new NoteApi()'],
];

/** Adds the noun to a copy of the sources. */
export function addNotes({ root, edit }: ScratchCopy): void {
  mkdirSync(join(root, 'src/note'));
  for (const [file, text] of Object.entries(files)) {
    const imports = file === 'note.resolver.ts' ? carelessImports.trimStart() : '';
    const whole = imports + text.trimStart().replace('/* careless */\n', careless.trimEnd() + '\n');
    writeFileSync(join(root, 'src/note', file), whole);
  }
  for (const [file, part, text] of edits)
    edit(file, (before) => {
      expect(before).toMatch(part);
      return before.replace(part, text);
    });
  edit('.oxlintrc.json', addDirections);
}

interface Lint {
  readonly overrides: { readonly files: readonly string[] }[];
}

/** Gives the noun's folder the directions of `study/`. */
function addDirections(source: string): string {
  const lint = JSON.parse(source.replaceAll('"!../study/**"', '$&, "!../note/**"')) as Lint;
  const ofStudy = lint.overrides.filter(({ files: [file = ''] }) => file.startsWith('src/study/'));
  const ofNote = JSON.stringify(ofStudy)
    .replaceAll(/src\/study\/(study)?/g, (path) => path.replaceAll('study', 'note'))
    .replaceAll(
      '"!../errors/refusal.js"',
      '$&, "!../study/authorize.js", "!../study/drift.js", "!../study/wire.js"',
    );
  lint.overrides.push(...(JSON.parse(ofNote) as Lint['overrides']));
  return JSON.stringify(lint);
}

/** Returns the places of the copy that differ from the repository, with the noun's folder as one place. */
export function findPlaces(root: string): string[] {
  const changed = globSync(['src/**/*.ts', '*.json', '.*.json'], { cwd: root }).filter(
    (file) => !(existsSync(file) && readFileSync(file).equals(readFileSync(join(root, file)))),
  );
  return [...new Set(changed.map((file) => file.replace(/^src\/note\/.*/, 'src/<noun>/')))];
}
