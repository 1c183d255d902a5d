import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createClient, RestError, type Step } from 'rest-outcome';
import type { ListArguments } from 'study-gateway-contract';
import { ArgumentError } from './process/arguments.js';
import type { readDoctorConfig } from './config/config.js';
import { Refusal } from './errors/refusal.js';
import { exampleInput, fit, type Values } from './graphql/example.js';
import { isUuid } from './scalars/formats.js';
import { StudyApi, toClientOptions } from './study/api.js';
import { compileContract } from './study/contract.js';
import { assumedNames } from './study/wire.js';

/** Why a question could not be asked. */
class Unasked extends Error {}

/**
 * Checks a Study API under the contract that the gateway would use, with the gateway's own client.
 *
 * @param args the arguments after `doctor` on the command line
 * @param print writes a text for a person
 * @param confirm asks a person
 * @returns the exit code: 0 if all is as assumed, 1 if something differs, 2 if something could not be asked
 * @throws ArgumentError for wrong arguments
 */
export async function runDoctor(
  { rest, proxies, token }: ReturnType<typeof readDoctorConfig>,
  args: readonly string[],
  print: (text: string) => void,
  confirm: (question: string) => Promise<boolean>,
): Promise<0 | 1 | 2> {
  const project = readProject(args);
  const contract = compileContract(rest.contract);
  const { refuse } = contract;
  const absent = new Set<string>(contract.absent);
  const shown = [...assumedNames.fields].filter((field) => !absent.has(field));
  const client = createClient<{ readonly token: string }>({
    ...rest,
    ...toClientOptions(contract),
    proxies,
    headers: (_, { token }) => ({
      'user-agent': 'study-gateway doctor',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    }),
  });
  const unused = new Set<string>();
  const api = new StudyApi((name, expected) => {
    if (expected === 'nothing') unused.add(name);
  }, contract);
  const begin = (name: keyof typeof contract.places, sent = token): Step =>
    client.begin({ token: sent }).begin(name, name === 'createStudy' || name === 'editStudy');

  let exit: 0 | 1 | 2 = 0;
  const say = (verdict: string, subject: string, detail: string): void => {
    if (verdict === 'DIFFERS') exit = 1;
    if (verdict === 'NOT ASKED') exit ||= 2;
    print(`${verdict.padEnd(9)} ${subject}: ${detail}\n`);
  };
  /** Asks a question. What is thrown differs, but for what the contract says of an API that lacks something. */
  const ask = async (subject: string, run: () => string | Promise<string>): Promise<void> => {
    try {
      say('ok', subject, await run());
    } catch (error) {
      const verdict = error instanceof Unasked ? 'NOT ASKED' : 'DIFFERS';
      say(error instanceof Refusal ? 'ok' : verdict, subject, toReason(error));
    }
  };
  const list = async (args: ListArguments, sent?: string) =>
    (await api.list(begin('studies', sent), args)).items;
  const find = (id: string, sent?: string) => api.find(begin('study', sent), id);
  const readAny = (sent?: string): Promise<unknown> =>
    rest.contract.operations.studies ? list({}, sent) : find(randomUUID(), sent);

  const isRefused = async (sent: string): Promise<string> => {
    const error = await readAny(sent).catch((error: unknown) => error);
    if (error instanceof RestError && error.status === 401) return 'is answered 401';
    throw error instanceof Error ? error : new Error('may read');
  };
  const areListed = async (...ids: unknown[]): Promise<string> => {
    const projectId = ids.filter((id) => typeof id === 'string');
    if (projectId.length < ids.length) throw new Unasked('the study shows no project');
    if ((await list({ projectId })).length > 0) return 'are listed alone';
    throw new Error('lists no study, and one of them has some');
  };
  /** Has a line for each field. `sent` is what the write sent that `study` is the result of. */
  const showFields = async (study: Values, sent: Values = {}): Promise<void> => {
    for (const field of assumedNames.fields)
      await ask(field, () => {
        const [value, own] = [study[field], sent[field]];
        if (value instanceof Error) throw value;
        const isSent = own === undefined ? '' : 'sent, and ';
        if (!shown.includes(field)) return `${isSent}not in answers`;
        if (own === undefined) return 'is read';
        if (isSame(field, own, value)) return 'sent, and came back';
        throw new Error(`sent ${JSON.stringify(own)}, came back as ${JSON.stringify(value)}`);
      });
  };

  const read = async (): Promise<void> => {
    await readAny();
    await ask('no token', () => isRefused(''));
    await ask('wrong token', () => isRefused(`${token}x`));
    await ask('pages 1 and 2', async () => {
      const size = refuse.studies({ size: 1 }).length > 0 ? undefined : 1;
      const [[one], [two]] = [await list({ page: 1, size }), await list({ page: 2, size })];
      if (!one || !two) throw new Unasked('the list has fewer than two studies');
      if (isDeepStrictEqual(one, two)) throw new Error('begin with the same study');
      return 'have other studies';
    });
    await ask('list', async () => {
      const [study] = await list({});
      if (!study) throw new Unasked('has no study');
      if (study instanceof Error) throw study;
      await showFields(study);
      const other = randomUUID();
      await ask('one project', () => areListed(study.projectId));
      await ask('two projects', async () => {
        await areListed(study.projectId, other);
        return areListed(other, study.projectId);
      });
      return 'has studies';
    });
    await ask('unknown id', async () => {
      if (await find(randomUUID())) throw new Error('is answered with a study');
      return 'is no study';
    });
  };

  const write = async (projectId: string): Promise<void> => {
    const input = fit({ ...exampleInput, projectId }, refuse.createStudy);
    const created = await api.create(begin('createStudy'), input);
    const id = String(created.id);
    say('made', 'study', `${id} in project ${projectId}`);
    await showFields(created, input);
    await ask('read back', async () => {
      assertEqual(shown, created, (await find(id)) ?? {});
      return 'is stored as it was answered';
    });
    const edit = (values: Values) =>
      api.edit(begin('editStudy'), id, fit(values, refuse.editStudy, input));
    await ask('edit', async () => {
      const change = fit({ description: 'Edited by doctor' }, refuse.editStudy, input);
      assertEqual(shown, { ...created, ...change }, await edit(change));
      return 'changes one field';
    });
    await ask('invalid edit', async () => {
      const invalid = { interviewCount: -1, projectId: 'no-uuid' };
      const error = await edit(invalid).catch((error: unknown) => error);
      if (!(error instanceof Error)) throw new Unasked('it was accepted');
      if (!(error instanceof RestError) || error.outcome !== 'REJECTED') throw error;
      const reason = error.details[0]?.message ?? error.upstreamMessage;
      if (reason === undefined) throw new Error('is refused with an unreadable reason');
      return `is refused, "${reason}"`;
    });
  };

  const { href } = rest.baseUrl;
  try {
    await read();
    const question = `Make a study in project ${project} at ${href}, and edit it?`;
    if (project !== undefined && (await confirm(question))) await write(project);
    for (const name of unused) say('-', name, 'in answers, not used');
  } catch (error) {
    say('NOT ASKED', href, toReason(error));
  } finally {
    await client.close();
  }
  return exit;
}

/** Returns the project to write into; `undefined` without arguments. */
function readProject(args: readonly string[]): string | undefined {
  if (args.length === 0) return undefined;
  const [, project = ''] = /^--write --project[ =](\S+)$/.exec(args.join(' ')) ?? [];
  if (isUuid(project)) return project;
  throw new ArgumentError('"doctor" writes with --write --project <uuid>.');
}

/** Compares two values of a field. The API may write a time in another way. */
function isSame(field: string, one: unknown, other: unknown): boolean {
  if (field !== 'createdAt') return isDeepStrictEqual(one, other);
  return one === other || Date.parse(String(one)) === Date.parse(String(other));
}

function assertEqual(fields: readonly string[], expected: Values, study: Values): void {
  for (const field of fields)
    if (!isSame(field, expected[field], study[field])) throw new Error(`has another ${field}`);
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
