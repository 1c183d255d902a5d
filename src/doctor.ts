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
import { DriftError } from './study/drift.js';
import { fieldNames } from './study/wire.js';

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
  const shown = fieldNames.filter((field) => !absent.has(field));
  const unused = new Set<string>();
  const client = createClient<{ readonly token: string }>({
    ...rest,
    ...toClientOptions(contract),
    proxies,
    headers: (_, { token }) => (token === '' ? {} : { authorization: `Bearer ${token}` }),
  });
  const api = new StudyApi((name, expected, received) => {
    if (expected === 'nothing') unused.add(name);
    return new DriftError(name, expected, received);
  }, contract);
  const begin = (name: keyof typeof contract.places, sent = token): Step =>
    client
      .openLedger({ token: sent })
      .beginStep(name, name === 'createStudy' || name === 'editStudy');
  const list = async (args: ListArguments, sent?: string) =>
    (await api.list(begin('studies', sent), args)).items;
  const find = (id: string, sent?: string) => api.find(begin('study', sent), id);
  const readAny = (sent?: string): Promise<unknown> =>
    rest.contract.operations.studies ? list({}, sent) : find(randomUUID(), sent);

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
  const askFields = async (study: Values, sent: Values = {}): Promise<void> => {
    for (const field of fieldNames)
      await ask(field, () => {
        const isSent = sent[field] === undefined ? '' : 'sent, and ';
        if (absent.has(field)) return `${isSent}not in answers`;
        assertSame([field], study, sent);
        return `${isSent}in answers`;
      });
  };
  const isRefused = async (sent: string): Promise<string> => {
    const error: unknown = await readAny(sent).catch((error: unknown) => error);
    if (error instanceof RestError && error.status === 401) return 'is answered 401';
    throw error instanceof Error ? error : new Error('may read');
  };
  const areListed = async (...projectId: string[]): Promise<string> => {
    if ((await list({ projectId })).length > 0) return 'are listed alone';
    throw new Error('lists no study, and one of them has some');
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
      await askFields(study);
      const [own, other] = [study.projectId, randomUUID()];
      if (typeof own !== 'string') throw new Unasked('the study shows no project');
      await ask('one project', () => areListed(own));
      await ask('two projects', () => areListed(own, other));
      await ask('two projects, turned', () => areListed(other, own));
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
    await askFields(created, input);
    const isStored = async (study: Values): Promise<string> => {
      assertSame(shown, (await find(id)) ?? {}, study);
      return 'is stored as answered';
    };
    await ask('read back', () => isStored(created));
    const edit = (values: Values) =>
      api.edit(begin('editStudy'), id, fit(values, refuse.editStudy, input));
    const change = fit({ description: 'Edited by doctor' }, refuse.editStudy, input);
    await ask('edit', async () => {
      assertSame(shown, await edit(change), { ...created, ...change });
      return `changes ${Object.keys(change).join(', ')}`;
    });
    await ask('read back the edit', () => isStored({ ...created, ...change }));
    await ask('invalid edit', async () => {
      const invalid = { interviewCount: -1, projectId: 'no-uuid' };
      const error: unknown = await edit(invalid).catch((error: unknown) => error);
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
    else if (project !== undefined) say('NOT ASKED', 'write', 'was not confirmed');
    for (const name of unused) say('-', name, 'in answers, not used');
  } catch (error) {
    say('NOT ASKED', href, toReason(error));
  } finally {
    await client.close();
  }
  if (verdicts.has('DIFFERS')) return 1;
  return verdicts.has('NOT ASKED') ? 2 : 0;
}

/** Returns the project to write into; `undefined` without arguments. */
function readProject(args: readonly string[]): string | undefined {
  const options = { write: { type: 'boolean' }, project: { type: 'string' } } as const;
  try {
    const { write, project } = parseArgs({ args: [...args], options }).values;
    if (args.length === 0 || (write && isUuid(project ?? ''))) return project;
  } catch {}
  throw new ArgumentError('"doctor" writes with --write --project <uuid>.');
}

/** Throws if a field is broken, or has another value than `expected`, if that has one. An API may write a time in another way. */
function assertSame(fields: readonly string[], study: Values, expected: Values): void {
  for (const field of fields) {
    const [value, own] = [study[field], expected[field]];
    if (value instanceof Error) throw value;
    const isTime = field === 'createdAt' && Date.parse(String(own)) === Date.parse(String(value));
    if (own !== undefined && !isTime && !isDeepStrictEqual(own, value))
      throw new Error(`${field} was ${JSON.stringify(own)}, came back as ${JSON.stringify(value)}`);
  }
}

function toReason(error: unknown): string {
  const { message, cause } = Object(error);
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
