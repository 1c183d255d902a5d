import { randomUUID } from 'node:crypto';
import { format, isDeepStrictEqual, parseArgs } from 'node:util';
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
  const options = { write: { type: 'boolean' }, project: { type: 'string' } } as const;
  const { write, project } = parseArgs({ args: [...args], options, strict: false }).values;
  const projectId = String(project);
  if (args.length > 0 && !(write === true && isUuid(projectId)))
    throw new ArgumentError('"doctor" writes with --write --project <uuid>.');
  const contract = compileContract(rest.contract);
  const { refuse } = contract;
  const absent = new Set<string>(contract.absent);
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
  const begin = (name: string, mayWrite = false, sent = token): Step =>
    client.openLedger({ token: sent }).beginStep(name, mayWrite);
  const find = (id: string) => api.find(begin('study'), id);
  const list = async (args: ListArguments, sent?: string) =>
    (await api.list(begin('studies', false, sent), args)).items;

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
      const { message, cause } = Object(error);
      const isUnanswered = error instanceof RestError && error.status === undefined;
      const verdict = isUnanswered || error instanceof Unasked ? 'NOT ASKED' : 'DIFFERS';
      const reason = cause instanceof Error ? `${message} (${cause.message})` : message;
      say(error instanceof Refusal ? 'ok' : verdict, subject, reason);
    }
  };
  /** Throws if a field of an answer is broken, or has another value than `expected`, if that has one. */
  const assertSame = (study: Values, expected: Values, fields = fieldNames): void => {
    for (const field of fields.filter((name) => !absent.has(name))) {
      const [value, own = value] = [study[field], expected[field]];
      if (value instanceof Error) throw value;
      // An API may write a time in another way.
      const isTime = field === 'createdAt' && Date.parse(String(own)) === Date.parse(String(value));
      if (!isTime && !isDeepStrictEqual(own, value))
        throw new Error(format('%s was %j, came back as %j', field, own, value));
    }
  };
  const askFields = async (study: Values, sent: Values = {}): Promise<void> => {
    for (const field of fieldNames)
      await ask(field, () => {
        assertSame(study, sent, [field]);
        return `${field in sent ? 'sent, and ' : ''}${absent.has(field) ? 'not ' : ''}in answers`;
      });
  };
  const isRefused = async (sent: string): Promise<string> => {
    const error: unknown = await list({}, sent).catch((error: unknown) => error);
    if (error instanceof RestError && error.status === 401) return 'is answered 401';
    throw error instanceof Error ? error : new Error('may read');
  };
  const areListed = async (...projectId: string[]): Promise<string> => {
    if ((await list({ projectId })).length > 0) return 'are listed alone';
    throw new Error('lists no study, and one of them has some');
  };

  const { href } = rest.baseUrl;
  print(`Study API at ${href}\n`);
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
  if (write)
    await ask('write', async () => {
      if (!(await confirm(`Make a study in project ${projectId} at ${href}, and edit it?`)))
        throw new Unasked('was not confirmed');
      const input = fit({ ...exampleInput, projectId }, refuse.createStudy);
      const created = await api.create(begin('createStudy', true), input);
      const id = String(created.id);
      await askFields(created, input);
      const edit = (values: Values) =>
        api.edit(begin('editStudy', true), id, fit(values, refuse.editStudy, input));
      const stored = { ...created };
      await ask('edit', async () => {
        const change = fit({ description: 'Edited by doctor' }, refuse.editStudy, input);
        const edited = await edit(change);
        assertSame(edited, Object.assign(stored, change));
        return `changes ${Object.keys(change).join(', ')}`;
      });
      await ask('invalid edit', async () => {
        const invalid = { interviewCount: -1, projectId: 'no-uuid' };
        const error: unknown = await edit(invalid).catch((error: unknown) => error);
        if (!(error instanceof Error)) throw new Unasked('it was accepted');
        const isRejected = error instanceof RestError && error.outcome === 'REJECTED';
        const reason = isRejected && (error.details[0]?.message ?? error.upstreamMessage);
        if (!reason) throw error;
        return `is refused, "${reason}"`;
      });
      await ask('read back', async () => {
        assertSame((await find(id)) ?? {}, stored);
        return 'is stored as answered';
      });
      return `made study ${id} in project ${projectId}`;
    });
  for (const name of unused) say('-', name, 'in answers, not used');
  await client.close();
  if (verdicts.has('DIFFERS')) return 1;
  return verdicts.has('NOT ASKED') ? 2 : 0;
}
