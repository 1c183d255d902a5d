import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createClient, RestError, type Step } from 'rest-outcome';
import type { ListArguments } from 'study-gateway-contract';
import { ArgumentError } from './process/arguments.js';
import type { readDoctorConfig } from './config/config.js';
import { Refusal } from './errors/refusal.js';
import { exampleInput, fit, type Values } from './graphql/example.js';
import { isUuid } from './scalars/formats.js';
import { StudyApi, toClientOptions } from './study/api.js';
import { compileContract } from './study/contract.js';
import { assumedNames, type StudyFields } from './study/wire.js';

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
  const project = readArguments(args);
  const contract = compileContract(rest.contract);
  const { refuse } = contract;
  const client = createClient<{ readonly token: string }>({
    ...rest,
    ...toClientOptions(contract),
    proxies,
    headers: (_, { token }) => ({
      'user-agent': 'study-gateway doctor',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    }),
  });
  const unknown = new Set<string>();
  const api = new StudyApi((name, expected) => {
    if (expected === 'nothing') unknown.add(name);
  }, contract);
  const begin = (name: keyof typeof contract.places, sent = token): Step =>
    client.begin({ token: sent }).begin(name, name === 'createStudy' || name === 'editStudy');

  const verdicts = new Set<string>();
  const say = (verdict: string, subject: string, detail: string): void => {
    verdicts.add(verdict);
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
  const list = async (args: ListArguments, sent?: string): Promise<readonly StudyFields[]> => {
    const { items } = await api.list(begin('studies', sent), args);
    return items.map((item) => {
      if (item instanceof Error) throw item;
      return item;
    });
  };
  const find = (id: string, sent?: string) => api.find(begin('study', sent), id);
  const readAny = (sent?: string): Promise<unknown> =>
    rest.contract.operations.studies ? list({}, sent) : find(randomUUID(), sent);

  const isRefused = async (sent: string): Promise<string> => {
    const error = await readAny(sent).catch((error: unknown) => error);
    if (error instanceof RestError && error.status === 401) return 'is answered 401';
    throw error instanceof Error ? error : new Error('may read');
  };
  const areOther = async (): Promise<string> => {
    const size = refuse.studies({ size: 1 }).length > 0 ? undefined : 1;
    const [[one], [two]] = [await list({ page: 1, size }), await list({ page: 2, size })];
    if (!one || !two) throw new Unasked('the list has fewer than two studies');
    if (one.id === two.id) throw new Error('begin with the same study');
    return 'have other studies';
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
        const isSent = own === undefined ? '' : 'sent, and ';
        if (value instanceof Error) throw value;
        if (contract.absent.some((name) => name === field)) return `${isSent}not in answers`;
        if (own === undefined) return 'is read';
        if (isEqual(own, value)) return 'sent, and came back';
        throw new Error(`sent ${JSON.stringify(own)}, came back as ${JSON.stringify(value)}`);
      });
  };

  const read = async (): Promise<void> => {
    await readAny();
    await ask('no token', () => isRefused(''));
    await ask('wrong token', () => isRefused(`${token}x`));
    await ask('pages 1 and 2', areOther);
    await ask('list', async () => {
      const [study] = await list({});
      if (!study) throw new Unasked('has no study');
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
    const isStored = async (expected: Values): Promise<string> => {
      if (isEqual(await find(id), expected)) return 'is stored as it was answered';
      throw new Error('is not stored as it was answered');
    };
    await ask('read back', () => isStored(created));
    const edit = (values: Values) =>
      api.edit(begin('editStudy'), id, fit(values, refuse.editStudy, input));
    await ask('edit', async () => {
      const change = fit(
        { description: 'Edited by study-gateway doctor' },
        refuse.editStudy,
        input,
      );
      const edited = await edit(change);
      if (isEqual(edited, { ...created, ...change })) return isStored(edited);
      throw new Error('does not answer with one changed field');
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
    for (const name of unknown) say('-', name, 'in answers, not used');
  } catch (error) {
    say('NOT ASKED', href, toReason(error));
  } finally {
    await client.close();
  }
  if (verdicts.has('DIFFERS')) return 1;
  return verdicts.has('NOT ASKED') ? 2 : 0;
}

/** Returns the project to write into; `undefined` without `--write`. */
function readArguments(args: readonly string[]): string | undefined {
  const options = { write: { type: 'boolean' }, project: { type: 'string' } } as const;
  try {
    const { write = false, project } = parseArgs({ args: [...args], options }).values;
    if (write === (project !== undefined && isUuid(project))) return project;
  } catch {
    // The message below says how the command is used.
  }
  throw new ArgumentError('"doctor" writes with --write --project <uuid>.');
}

/** Compares values of JSON; texts of the same time are equal. */
function isEqual(one: unknown, other: unknown): boolean {
  const toComparable = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === 'string' && /^\d{4}-\d\d-\d\dT/.test(inner) ? Date.parse(inner) : inner,
      ),
    );
  return isDeepStrictEqual(toComparable(one), toComparable(other));
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
