import type { Recipe } from './recipes.fixture.js';

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

/** A second noun, as a stranger would write it: notes at `/notes`. */
export const noun: Recipe = [
  [
    'src/note/note.type.ts',
    `import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'A note.' })
export class Note {
  @Field(() => ID, { description: 'Id of the note.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Free text.' })
  text?: string | null;
}
`,
  ],
  [
    'src/note/note.input.ts',
    `import { Field, InputType } from 'type-graphql';

@InputType({ description: 'Fields of a note.' })
export class NoteInput {
  @Field(() => String, { nullable: true, description: 'Free text.' })
  text?: string | null;
}
`,
  ],
  [
    'src/note/note.wire.ts',
    `import { z } from 'zod';
import type { JsonObject } from 'rest-outcome';
import { isUuid } from '../scalars/formats.js';
import { DriftError } from '../study/drift.js';
import { readFields } from '../study/wire.js';

const noteSchema = z.object({
  id: z.guid('a UUID'),
  text: z.string('a string or null').nullish(),
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
  ],
  [
    'src/note/note.api.ts',
    `import { RestError, type Entity, type Read, type Step } from 'rest-outcome';
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
  ],
  [
    'src/note/note.resolver.ts',
    `import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
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
    @Ctx() context: ResolverContext,
    @Arg('id', () => UuidScalar) id: string,
  ): Promise<NoteFields | Error | null> {
    const { step, notes } = context;
    return authorizeCall(context, 'note', { id }, async (see) => see(await notes.find(step, id)));
  }

  @Mutation(() => Note, { nullable: true, description: 'Creates a note.' })
  createNote(
    @Ctx() context: ResolverContext,
    @Arg('input', () => NoteInput) input: NoteInput,
    @Arg('idempotencyKey', () => UuidScalar, { nullable: true }) idempotencyKey?: string | null,
  ): Promise<NoteFields | Error> {
    const { step, notes } = context;
    return authorizeCall(context, 'createNote', {}, async (see) =>
      see(await notes.create(step, input, idempotencyKey)),
    );
  }

  @Mutation(() => Note, { nullable: true, description: 'Edits a note.' })
  editNote(
    @Ctx() context: ResolverContext,
    @Arg('id', () => UuidScalar) id: string,
    @Arg('input', () => NoteInput) input: NoteInput,
  ): Promise<NoteFields | Error> {
    const { step, notes } = context;
    return authorizeCall(context, 'editNote', { id }, async (see) =>
      see(await notes.edit(step, id, input)),
    );
  }
}
`,
  ],
  [
    'test/write/note.test.ts',
    `import { expect, it } from 'vitest';
import { cut, toHead } from '../support/faults.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { answerJson, type Respond } from '../support/study-api.js';
import { wholeStudy } from '../support/studies.js';

const { id } = wholeStudy;
const note = { id, text: 7 };
const aNote = answerJson(note, 201);
const create = 'createNote(input: {}, idempotencyKey: "7d3c1f7e-8a53-4e0b-9a52-3d1f6c0a2b11")';
const edit = \`editNote(id: "\${id}", input: {})\`;

/** Starts a gateway before an API of studies, and of notes that \`respond\` answers. */
async function start(respond: Respond = aNote, options: TestGatewayOptions = {}) {
  const gateway = await startTestGateway({
    ...options,
    api: (...call) =>
      (call[1].url.startsWith('/notes') ? respond : answerJson(wholeStudy))(...call),
  });
  return {
    ...gateway,
    countWrites: () => gateway.calls.filter(({ method, url }) => method !== 'GET' && url.startsWith('/notes')).length,
    /** Runs a write under an alias in a fragment, between two writes of studies that succeed. */
    async tell(write: string) {
      const { data, errors = [] } = await gateway.graphql(\`mutation {
        before: createStudy(input: {}) { id }
        ...Write
        after: createStudy(input: {}) { id }
      }
      fragment Write on Mutation { noted: \${write} { id } }\`);
      expect(data).toMatchObject({ before: { id }, after: { id } });
      const { outcome, noteId } = errors[0]?.extensions ?? {};
      return [outcome ?? data?.['noted'], noteId];
    },
  };
}

it.each<[string, Respond, unknown, string?]>([
  ['an answer', aNote, { id }],
  ['a cut after the id', cut(toHead('200 OK', ['content-length: 99'], \`{"id":"\${id}",\`), 'FIN'), 'APPLIED', id],
  ['a 422', answerJson({}, 422), 'REJECTED'],
  ['a 500', answerJson({}, 500), 'UNKNOWN'],
  ['an id that cannot be read', answerJson({ id: 'unreadable' }), 'UNKNOWN'],
])('note: is told of %s, also a repeat with its key', async (_, respond, told, noteId) => {
  const { tell, countWrites } = await start(respond);

  expect(await tell(create)).toEqual([told, noteId]);
  // The keys know no read of a note: a repeat gets its id alone.
  expect(await tell(create)).toEqual(typeof told === 'object' ? ['APPLIED', id] : [told, noteId]);
  expect(countWrites()).toBe(told === 'REJECTED' ? 2 : 1);
});

it('note: is named in errors, in the log and in metrics, by its own id only', async () => {
  const gateway = await start();
  const other = { id: '99999999-9999-4999-8999-999999999999' };
  const lying = await start(answerJson(other));

  const broken = await gateway.graphql(\`mutation { \${edit} { text } }\`);
  const hidden = await lying.graphql(\`mutation { \${edit} { id } }\`);

  expect([broken, hidden].map(({ errors }) => [errors?.[0]?.message, errors?.[0]?.extensions])).toMatchObject([
    ['The Study API answered "text" with a number where a string or null was expected.', { noteId: id }],
    [expect.stringContaining('the answer does not show the note.'), { outcome: 'UNKNOWN' }],
  ]);
  expect(JSON.stringify(hidden)).not.toContain(other.id);
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ msg: 'operation', writes: [expect.objectContaining({ id, outcome: 'APPLIED' })] }),
  );
});

it.each([
  ['calls', { createNote: null, editNote: null }, 0],
  ['notes', { createNote: null, editNote: null }, 2],
])('note: authorize is asked about %s by a name and a result', async (what, data, count) => {
  const authorize = (_: unknown, { operation, result }: { operation: string; result?: object | undefined }) =>
    what === 'calls' ? !/note/i.test(operation) : !(result && 'text' in result);
  const { graphql, countWrites } = await start(aNote, { additions: { authorize } });
  const write = \`mutation { createNote(input: {}) { id } \${edit} { id } createStudy(input: {}) { id } }\`;
  const read = \`{ note(id: "\${id}") { id } study(id: "\${id}") { id } }\`;

  expect(await graphql(write)).toMatchObject({ data: { ...data, createStudy: { id } } });
  expect(await graphql(read)).toMatchObject({ data: { note: null, study: { id } } });
  expect(countWrites()).toBe(count);
});
`,
  ],
  [
    'src/graphql/schema.ts',
    /^import { StudyResolver.*$/m,
    "import { NoteResolver } from '../note/note.resolver.js';",
  ],
  ['src/graphql/schema.ts', /resolvers = \[StudyResolver/, ', NoteResolver'],
  [
    'src/context.ts',
    /^import type { StudyApi.*$/m,
    "import type { NoteApi } from './note/note.api.js';",
  ],
  ['src/context.ts', /^ *readonly studies: StudyApi;$/m, '  readonly notes: NoteApi;'],
  ['src/gateway.ts', /^import { StudyApi }.*$/m, "import { NoteApi } from './note/note.api.js';"],
  ['src/gateway.ts', /apis = { studies: [^}]*(?= };)/, ', notes: new NoteApi()'],
  [
    'test/support/context.ts',
    /^import { StudyApi }.*$/m,
    "import { NoteApi } from '../../src/note/note.api.js';",
  ],
  ['test/support/context.ts', /^ {2}studies: .*$/m, '  notes: new NoteApi(),'],
  ['.oxlintrc.json', addDirections],
];
