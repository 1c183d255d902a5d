import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { createClient, RestError, type Step } from 'rest-outcome';
import { ArgumentError } from './process/arguments.js';
import type { readDoctorConfig } from './config/config.js';
import { exampleInput } from './graphql/example.js';
import { isUuid } from './scalars/formats.js';
import { StudyApi, toClientOptions } from './study/api.js';
import { compileContract } from './study/contract.js';
import { DriftError } from './study/drift.js';
import type { PageArguments } from './study/page.js';
import { assumedNames, type StudyFields } from './study/wire.js';

type Values = Readonly<Record<string, unknown>>;

/** An empty token is not sent. */
interface DoctorContext {
  readonly token: string;
}

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
  config: ReturnType<typeof readDoctorConfig>,
  args: readonly string[],
  print: (text: string) => void,
  confirm: (question: string) => Promise<boolean>,
): Promise<0 | 1 | 2> {
  const { project, isConfirmed } = readArguments(args);
  const { rest, proxies, token } = config;
  const { operations, request } = rest.contract;
  const contract = compileContract(rest.contract);
  const client = createClient<DoctorContext>({
    ...rest,
    ...toClientOptions(contract),
    proxies,
    headers: (_, { token }) => ({
      'user-agent': 'study-gateway doctor',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    }),
  });
  let [isDifferent, isUnasked] = [false, false];
  const say = (verdict: string, subject: string, detail: string): void =>
    print(`${verdict.padEnd(9)} ${subject}: ${detail}\n`);
  const asAssumed = (subject: string, detail: string): void => say('ok', subject, detail);
  const note = (subject: string, detail: string): void => say('-', subject, detail);
  const differs = (subject: string, detail: string): void => {
    isDifferent = true;
    say('DIFFERS', subject, detail);
  };
  const unasked = (subject: string, detail: string): void => {
    isUnasked = true;
    say('NOT ASKED', subject, detail);
  };
  const drift = new Set<string>();
  const reportDrift = (name: string, expected: string): void => {
    if (expected === 'nothing') drift.add(name);
  };

  const api = new StudyApi(reportDrift, contract);

  /** Makes one call of the gateway. */
  const call = <Result>(
    name: 'study' | 'studies' | 'createStudy' | 'editStudy',
    run: (step: Step) => Promise<Result>,
    sent = token,
  ): Promise<Result> => {
    const mayWrite = name === 'createStudy' || name === 'editStudy';
    const step = client.begin({ token: sent }).begin(name, mayWrite);
    return run(step);
  };
  /** Asks a question. What is thrown differs from what is assumed. */
  const ask = async (subject: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      differs(subject, toReason(error));
    }
  };
  const list = async (args: PageArguments): Promise<readonly StudyFields[]> => {
    const { items } = await call('studies', (step) => api.list(step, args));
    return items.map((item) => {
      if (item instanceof Error) throw item;
      return item;
    });
  };
  const readAny = async (sent?: string): Promise<void> => {
    if (operations.studies !== false) await call('studies', (step) => api.list(step, {}), sent);
    else await call('study', (step) => api.find(step, randomUUID()), sent);
  };

  const askTokens = async (): Promise<void> => {
    const refused = async (subject: string, sent: string): Promise<void> => {
      const error = await readAny(sent).catch((error: unknown) => error);
      const status = error instanceof RestError ? error.status : undefined;
      if (status === 401) asAssumed(subject, 'is answered 401');
      else differs(subject, error === undefined ? 'may read' : toReason(error));
    };
    await refused('no token', '');
    await refused('wrong token', `${token}x`);
  };

  const askPages = async (): Promise<void> => {
    const size = contract.refuseList?.({ size: 1 }).length ? undefined : 1;
    if (contract.refuseList?.({ page: 1 }).length)
      return note('pages 1 and 2', 'the API has no pages, by the contract');
    const [[one], [two]] = [await list({ page: 1, size }), await list({ page: 2, size })];
    if (!one || !two) return unasked('pages 1 and 2', 'the list has fewer than two studies');
    if (one.id === two.id) return differs('pages 1 and 2', 'begin with the same study');
    return asAssumed('pages 1 and 2', 'have other studies');
  };

  const askProjects = async (projectId: string): Promise<void> => {
    const isFound = async (ids: string[]): Promise<boolean> =>
      (await list({ projectId: ids })).length > 0;
    if (contract.refuseList?.({ projectId: [projectId] }).length)
      return note('one project, two projects', 'the API has no filter, by the contract');
    if (await isFound([projectId])) asAssumed('one project', 'lists its studies alone');
    else differs('one project', 'lists no study, and it has one');
    const other = randomUUID();
    if (contract.refuseList?.({ projectId: [projectId, other] }).length)
      return note('two projects', 'the API takes one, by the contract');
    const isBoth = (await isFound([projectId, other])) && (await isFound([other, projectId]));
    if (isBoth) return asAssumed('two projects', 'lists the studies of both');
    return differs('two projects', 'lists the studies of one of them');
  };

  /** @param sent what a write has sent, of which `study` is the result */
  const showFields = (study: Values, sent?: Values): void => {
    for (const field of assumedNames.fields) {
      const [value, own] = [study[field], sent?.[field]];
      const isSent = own !== undefined;
      if (value instanceof DriftError) differs(field, value.message);
      else if (contract.absent.some((name) => name === field))
        note(field, `${isSent ? 'sent, ' : ''}not in answers, by the contract`);
      else if (!isSent) asAssumed(field, sent ? 'not sent, and read' : 'is read');
      else if (isEqual(own, value)) asAssumed(field, 'sent, and came back');
      else differs(field, `sent ${JSON.stringify(own)}, came back as ${JSON.stringify(value)}`);
    }
  };

  const read = async (): Promise<void> => {
    await askTokens();
    if (operations.studies === false) note('list', 'the API has none, by the contract');
    else {
      await ask('pages 1 and 2', askPages);
      const [study] = await list({});
      const { projectId } = study ?? {};
      if (study) showFields(study);
      else unasked('fields', 'the list has no study');
      if (typeof projectId === 'string')
        await ask('one project, two projects', () => askProjects(projectId));
      else unasked('one project, two projects', 'no study shows a project');
    }
    if (operations.study === false) return note('study', 'the API reads none, by the contract');
    return ask('unknown id', async () => {
      const study = await call('study', (step) => api.find(step, randomUUID()));
      if (study === null) asAssumed('unknown id', 'is no study');
      else differs('unknown id', 'is answered with a study');
    });
  };

  /** Leaves out what the API does not take, by the contract. */
  const fit = (input: Values, refuse = contract.refuseCreate): Values => {
    const refused = new Set(refuse?.(input).map(({ name }) => name));
    return Object.fromEntries(Object.entries(input).filter(([name]) => !refused.has(name)));
  };

  const write = async (projectId: string): Promise<void> => {
    const input = fit({ ...exampleInput, projectId });
    for (const name of Object.keys(exampleInput).filter((name) => !(name in input)))
      note(name, 'not sent, by the contract');
    const created = await call('createStudy', (step) => api.create(step, input));
    const id = String(created.id);
    say('made', 'study', `${id} in project ${projectId}`);
    showFields(created, input);
    const isKept = async (subject: string, expected: Values): Promise<void> => {
      if (operations.study === false) return;
      const kept = await call('study', (step) => api.find(step, id));
      if (isEqual(kept, expected)) asAssumed(subject, 'is stored as it was answered');
      else differs(subject, 'is not stored as it was answered');
    };
    await ask('read back', () => isKept('read back', created));
    if (operations.editStudy === false) return note('edit', 'the API has none, by the contract');
    const required = Object.fromEntries(
      request.required.editStudy.map((name) => [name, input[name]]),
    );
    const edit = (values: Values): Promise<StudyFields> =>
      call('editStudy', (step) => api.edit(step, id, { ...required, ...values }));
    const toChange = (values: Values): Values | undefined => {
      const taken = Object.entries(fit(values, contract.refuseEdit));
      return taken.length > 0 ? Object.fromEntries(taken.slice(0, 1)) : undefined;
    };
    const change = toChange({ description: 'Edited by study-gateway doctor', bookmarked: false });
    if (change)
      await ask('edit', async () => {
        const edited = await edit(change);
        if (isEqual(edited, { ...created, ...change })) asAssumed('edit', 'changes one field');
        else differs('edit', 'does not answer with one changed field');
        await isKept('edit read back', edited);
      });
    const invalid = toChange({ interviewCount: -1, projectId: 'no-uuid' });
    if (!invalid) return unasked('invalid edit', 'no invalid value is known');
    const error = await edit(invalid).catch((error: unknown) => error);
    if (!(error instanceof RestError)) return unasked('invalid edit', 'it was accepted');
    if (error.outcome !== 'REJECTED') return differs('invalid edit', toReason(error));
    const [detail] = error.details ?? [];
    const reason = detail
      ? `${detail.location.join('/')}: ${detail.message}`
      : error.upstreamMessage;
    if (reason === undefined)
      return differs('invalid edit', 'is refused with an unreadable reason');
    return asAssumed('invalid edit', `is refused, "${reason}"`);
  };

  const { href } = rest.baseUrl;
  try {
    await readAny();
    await read();
    const question = `Make a study in project ${project} at ${href}, and edit it?`;
    if (project !== undefined && (isConfirmed || (await confirm(question)))) await write(project);
    for (const name of drift) note(name, 'in answers, not used');
  } catch (error) {
    unasked(href, toReason(error));
  } finally {
    await client.close();
  }
  if (isDifferent) return 1;
  return isUnasked ? 2 : 0;
}

function readArguments(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  try {
    const options = { write: flag, project: { type: 'string' }, yes: flag } as const;
    const { write = false, project, yes } = parseArgs({ args: [...args], options }).values;
    if (write === (project !== undefined && isUuid(project)))
      return { project, isConfirmed: yes === true };
  } catch {
    // The message below says how the command is used.
  }
  throw new ArgumentError('"doctor" writes with --write --project <uuid>.');
}

/** Compares values of JSON; texts of the same time are equal. */
function isEqual(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toComparable(one), toComparable(other));
}

function toComparable(value: unknown): unknown {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value);
  if (typeof value !== 'object' || value === null) return value;
  const text = JSON.stringify(value, (name, inner: unknown) =>
    name === 'createdAt' ? toComparable(inner) : inner,
  );
  return JSON.parse(text);
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
