import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { daily } from '../../support/daily.js';
import { createDirectory } from '../../support/process.js';
import { findEmpty, readPointer, runMain, useApi, type Ask } from './apis.fixture.js';
import {
  answered,
  apis,
  createFields,
  cutToken,
  projects,
  token,
  unknownId,
  type Framework,
} from './apis.mjs';

const [project, otherProject] = projects;

/** Fields of GraphQL that a selection of all fields names. */
const all = answered
  .map((field) => (field === 'progress' ? 'progress { total completed failed }' : field))
  .join(' ');

const create = `mutation ($input: CreateStudyInput!) { createStudy(input: $input) { ${all} } }`;
const edit = `mutation ($id: UUID!, $input: EditStudyInput!) { editStudy(id: $id, input: $input) { ${all} } }`;
const writes = [
  ['createStudy', create],
  ['editStudy', edit],
] as const;
const read = `query ($id: UUID!) { study(id: $id) { ${all} } }`;
const list = `query ($page: Int, $size: Int, $projectId: [UUID!]) {
  studies(page: $page, size: $size, projectId: $projectId) { page size total pages items { id projectId description } }
}`;

const fullInput: Readonly<Record<string, unknown>> = {
  description: 'Why do nurses leave?',
  projectId: project,
  createdAt: '2026-04-02T08:00:00.123Z',
  bookmarked: true,
  language: 'de',
  audiences: ['Nurses', 'Doctors'],
  problems: ['Queues'],
  files: ['plan.pdf'],
  progress: { total: 12, completed: 3, failed: 1 },
  status: 'running',
  solutionId: '33333333-3333-4333-8333-333333333333',
  researchGoalId: '44444444-4444-4444-8444-444444444444',
  knowledgeGraphs: ['graph-1'],
  strategy: 'problem_exploration',
  interviewCount: 12,
  interviews: ['interview-1'],
};

/** What the explorer's page asks for. */
interface Settings {
  readonly placeholderId: string;
  readonly examples: readonly { readonly query: string; readonly variables?: string }[];
}

/** What a test changes in a contract file. */
interface Filled {
  readonly answer?: { readonly names?: object; readonly absent?: readonly string[] };
  readonly operations?: object;
}

const pick = (values: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, values[field]]));

/** Returns what GraphQL must show of a stored study: fields that the API does not answer are null. */
function toShown(stored: Readonly<Record<string, unknown>> | undefined, framework: Framework) {
  if (!stored) throw new Error('The API has stored no such study.');
  const shows = framework.answered ?? answered;
  return Object.fromEntries(
    answered.map((field) => [field, shows.includes(field) ? stored[field] : null]),
  );
}

/** Creates a study with all fields that the API has. */
async function createFull(ask: Ask, framework: Framework) {
  const result = await ask(create, { input: pick(fullInput, framework.creates) });
  expect(result.errors).toBeUndefined();
  if (!result.data?.['createStudy']) throw new Error('The answer has no study.');
  return result.data['createStudy'];
}

describe.each(apis)('$name', (framework) => {
  const { serve, open, openAnother } = useApi(framework);
  /** Errors of the read of one study. */
  const unread =
    framework.reads === false
      ? [expect.objectContaining({ extensions: expect.objectContaining({ outcome: 'NOT_SENT' }) })]
      : undefined;
  const firstOf = async () => {
    const [study] = (await serve()).api.studies.values();
    if (!study) throw new Error('The API has no study.');
    return study;
  };

  it('creates a study with all fields that the API has', async () => {
    const { api, ask } = await open();
    const created = await createFull(ask, framework);
    const stored = api.studies.get(created.id);
    expect(pick(stored ?? {}, framework.creates)).toEqual(pick(fullInput, framework.creates));
    expect(created).toEqual(toShown(stored, framework));
  });

  describe('writes', () => {
    it('creates with the fields alone that the document requires', async () => {
      const { api, ask } = await open();
      const { errors, data } = await ask(
        'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }',
        { input: pick(fullInput, framework.required) },
      );
      expect(errors).toBeUndefined();
      expect(api.studies.has(data?.['createStudy']?.id ?? '')).toBe(true);
    });

    it('edits one field, and the others stay', async () => {
      const { api, ask } = await open();
      const created = await createFull(ask, framework);
      const { errors, data } = await ask(edit, { id: created.id, input: { status: 'paused' } });
      expect(errors).toBeUndefined();
      expect(data).toEqual({ editStudy: { ...created, status: 'paused' } });
      expect(api.studies.get(created.id)).toMatchObject({ status: 'paused', language: 'de' });
    });

    it('edits all fields that an edit can have', async () => {
      const { api, ask } = await open();
      const { id } = await createFull(ask, framework);
      // GraphQL edits none of these three.
      const fixed = new Set(['problems', 'solutionId', 'researchGoalId']);
      const fields = framework.edits.filter((field) => !fixed.has(field));
      const input = pick({ ...fullInput, description: 'Why do they stay?' }, fields);
      const { errors } = await ask(edit, { id, input });
      expect(errors).toBeUndefined();
      expect(api.studies.get(id)).toMatchObject(input);
    });

    it.each(createFields.filter((field) => !framework.creates.includes(field)))(
      'writes no study without saying that the API does not take %s',
      async (field) => {
        const { api, ask } = await open();
        const before = api.ledger.length;
        const input = pick(fullInput, [...framework.creates, field]);
        const { errors } = await ask(create, { input });
        expect(errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          outcome: 'NOT_SENT',
        });
        expect(api.ledger.slice(before)).toEqual([]);
      },
    );

    it.each(writes)('tells why %s was refused, and at which field', async (write, query) => {
      const { api, ask } = await open();
      const { id } = await firstOf();
      const input = { description: 'x', projectId: project, interviewCount: -1 };
      const { errors, data } = await ask(query, { id, input });
      expect(data).toEqual({ [write]: null });
      const { field, message } = framework.reason;
      expect(errors?.[0]?.extensions).toMatchObject({
        outcome: 'REJECTED',
        fieldErrors: [{ path: ['input', field], message }],
      });
      expect(api.ledger.at(-1)).toMatchObject({ stored: false });
    });

    it('says REJECTED of an edit of an unknown study', async () => {
      const { api, ask } = await open();
      const { errors } = await ask(edit, { id: unknownId, input: { status: 'paused' } });
      expect(errors?.[0]?.extensions).toMatchObject({ outcome: 'REJECTED' });
      expect(api.ledger.at(-1)).toMatchObject({ id: unknownId, stored: false });
    });

    it.each(writes)('says UNKNOWN of %s if its stored write is cut', async (write, query) => {
      const { api, ask } = await open();
      const { id } = await firstOf();
      const before = api.ledger.length;
      const input = pick(fullInput, write === 'createStudy' ? framework.required : ['status']);
      const { errors, data } = await ask(query, { id, input }, cutToken);
      expect(data).toEqual({ [write]: null });
      expect(errors?.[0]?.extensions).toMatchObject({ outcome: 'UNKNOWN', retryable: false });
      expect(api.ledger.slice(before)).toMatchObject([{ stored: true }]);
    });
  });

  describe('reads', () => {
    it('reads a study, or says that the API cannot', async () => {
      const { ask } = await open();
      const stored = await firstOf();
      const { errors, data } = await ask(read, { id: stored['id'] });
      expect(data).toEqual({
        study: framework.reads === false ? null : toShown(stored, framework),
      });
      expect(errors).toEqual(unread);
    });

    it('shows a field that the API lacks as null, without an error, in a list', async () => {
      const { ask } = await open();
      const stored = await firstOf();
      const { errors, data } = await ask(`{ studies(size: 1) { items { ${all} } } }`);
      expect(errors).toBeUndefined();
      expect(data?.['studies']?.items).toEqual([toShown(stored, framework)]);
    });

    it('shows an unknown id as null', async () => {
      const { ask } = await open();
      const { errors, data } = await ask(read, { id: unknownId });
      expect(data).toEqual({ study: null });
      expect(errors).toEqual(unread);
    });

    it('lists a project in two pages, with the numbers that a page has', async () => {
      const { api, ask } = await open();
      const ids = [...api.studies.values()]
        .filter(({ projectId }) => projectId === otherProject)
        .map(({ id }) => id);
      for (const page of [1, 2]) {
        const { errors, data } = await ask(list, { page, size: 4, projectId: [otherProject] });
        const { items = [], ...numbers } = data?.['studies'] ?? {};
        expect(errors).toBeUndefined();
        expect(items.map(({ id }) => id)).toEqual(ids.slice(4 * page - 4, 4 * page));
        const shown = framework.numbers({ page, size: 4, total: 7, pages: 2 });
        const none = { page: null, size: null, total: null, pages: null };
        expect(numbers).toEqual({ ...none, ...shown });
      }
    });

    it('lists all studies in pages that do not overlap', async () => {
      const { api, ask } = await open();
      const total = api.studies.size;
      const seen: string[] = [];
      for (let page = 1; page <= Math.ceil(total / 10); page += 1) {
        const { errors, data } = await ask(list, { page, size: 10 });
        expect(errors).toBeUndefined();
        seen.push(...(data?.['studies']?.items ?? []).map(({ id }) => id));
      }
      expect(seen).toEqual([...api.studies.keys()]);
    });

    it('never shows other studies than those of two projects that were asked for', async () => {
      const { api, ask } = await open();
      const { errors, data } = await ask(list, { size: 50, projectId: projects });
      const count = Math.min(api.studies.size, 50);
      expect(data?.['studies']?.items.length ?? null).toBe(errors ? null : count);
    });

    it('never shows a page after the last as another page', async () => {
      const { ask } = await open();
      const { data } = await ask(list, { page: 40, size: 10 });
      expect(data?.['studies']?.items ?? []).toEqual([]);
    });

    it('never shows page 1 as page 2, if the answer has its number', async () => {
      const { api, ask } = await open();
      api.faults.ignores = ['page'];
      const { errors } = await ask(list, { page: 2, size: 5 });
      api.faults.ignores = [];
      // Of an API that answers no number, page n is believed: `doctor` compares the pages.
      const codes = errors?.map(({ extensions }) => extensions['code']) ?? [];
      expect(codes).toEqual(framework.answersNoPage ? [] : ['UPSTREAM_CONTRACT']);
    });

    it('never shows a study of another project', async () => {
      const { api, ask } = await open();
      api.faults.ignores = ['project'];
      const { errors } = await ask(list, { projectId: [otherProject] });
      api.faults.ignores = [];
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_CONTRACT' });
    });

    it('never shows an item that it does not understand as a study without a description', async () => {
      const { api, ask } = await open();
      api.faults.broken = true;
      const { errors } = await ask('{ studies(size: 2) { items { description } } }');
      api.faults.broken = false;
      expect(errors?.length).toBeGreaterThan(0);
    });
  });

  daily(() => {
    describe('contract --from', () => {
      it('asks for no value that must be deleted, and demands what the document requires alone', async () => {
        const { from, written, filled } = await serve();
        const empty = findEmpty(written);
        expect([empty.length > 0 ? 1 : 0, 1]).toContain(from.code);
        const deleted = empty.filter((place) => {
          const value = readPointer(filled, place);
          return value === undefined || value === '';
        });
        expect(deleted).toEqual([]);
        expect(/STUDY_API_URL=(\S+)/.exec(from.output)?.[1]).toMatch(/^https?:\/\/[^{}%]+$/);
        expect(from.output).not.toMatch(/demands/);
        const creates = readPointer(written, '/request/required/createStudy') ?? [];
        expect(framework.required).toEqual(expect.arrayContaining(creates as string[]));
        expect(readPointer(written, '/request/required/editStudy') ?? []).toEqual([]);
      });
    });

    it('never says that there is no study because the address lacks a path', async () => {
      const { api, ask } = await openAnother({ STUDY_API_URL: (await serve()).api.origin });
      const [id] = api.studies.keys();
      const query = 'query ($id: UUID!) { study(id: $id) { id } }';
      const { errors, data } = await ask(query, { id });
      expect(data).toEqual({ study: errors ? null : { id } });
    });

    describe('the first screen', () => {
      it('opens operations that the gateway itself does not refuse', async () => {
        const { api, url, ask } = await openAnother();
        const response = await fetch(`${url}/explorer/settings.json`);
        const { examples, placeholderId } = (await response.json()) as Settings;
        const [id = ''] = api.studies.keys();
        expect(examples.length).toBeGreaterThan(3);
        for (const { query, variables = '{}' } of examples) {
          const { errors } = await ask(query, JSON.parse(variables.replaceAll(placeholderId, id)));
          // A comment in the first line says that the API lacks the operation.
          const lacks = query.startsWith('#');
          expect({ query, errors: lacks ? undefined : errors }).toEqual({ query });
        }
      });
    });

    describe('doctor', () => {
      const env = async (more: Record<string, string> = {}) => {
        return { ...(await serve()).env, STUDY_API_TOKEN: token, ...more };
      };
      const writing = ['doctor', '--write', '--project', project];

      it('finds all as assumed, with a line for each question, and writes nothing', async () => {
        const { api } = await serve();
        const before = api.ledger.length;
        const { code, output } = await runMain(['doctor'], await env());
        expect({ code, output }).toEqual({ code: 0, output });
        for (const question of [
          /(no|without a) token/i,
          /wrong token/i,
          /pages? (1 and )?2/i,
          /two projects/i,
          ...(framework.reads === false ? [] : [/unknown id/i]),
        ])
          expect(output).toMatch(question);
        expect(api.ledger.slice(before)).toEqual([]);
      });

      it.each(['no\n', ''])('asks before it writes, and is answered %j', async (answer) => {
        const { api } = await serve();
        const before = api.ledger.length;
        const turned = ['doctor', `--project=${project}`, '--write'];
        const { code, output } = await runMain(turned, await env(), answer);
        expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(project) });
        expect(output).toContain('?');
        expect(api.ledger.slice(before)).toEqual([]);
      });

      it('writes, names what it made, and has a line for each field', async () => {
        const { api } = await serve();
        const before = api.ledger.length;
        const { code, output } = await runMain(writing, await env(), 'yes\n');
        expect({ code, output }).toEqual({ code: 0, output });
        const writes = api.ledger.slice(before);
        const made = writes.filter(({ method, stored }) => method === 'POST' && stored);
        expect(made.length).toBeGreaterThan(0);
        for (const { id = '' } of made) {
          expect(output).toContain(id);
          expect(api.studies.get(id)).toMatchObject({ projectId: project });
        }
        expect(writes.filter(({ method, stored }) => method === 'PATCH' && stored)).toHaveLength(1);
        expect(writes.filter(({ stored }) => !stored).length).toBeGreaterThan(0);
        for (const field of answered) expect(output).toMatch(new RegExp(`^.*\\b${field}\\b`, 'm'));
      });

      it('exits with 1 if the API ignores a page, a token and a field', async () => {
        const { api } = await serve();
        api.faults.ignores = ['page', 'token', 'description'];
        const { code, output } = await runMain(writing, await env(), 'yes\n');
        api.faults.ignores = [];
        expect({ code, output }).toEqual({ code: 1, output });
        const questions = ['pages 1 and 2', 'wrong token', 'description', 'edit'];
        if (framework.reads !== false) questions.push('read back');
        for (const question of questions)
          expect(output).toMatch(new RegExp(`^DIFFERS +${question}:`, 'm'));
      });

      const withChanged = async (change: (filled: Filled) => object) => {
        const contract = join(createDirectory(), 'changed.json');
        writeFileSync(contract, JSON.stringify(change((await serve()).filled)));
        return env({ STUDY_API_CONTRACT: contract });
      };

      it('asks for no list of a project if the API shows none', async () => {
        const variables = await withChanged(({ answer = {}, ...others }) => {
          const names = { ...answer.names, projectId: undefined };
          const absent = [...(answer.absent ?? []), 'projectId'];
          return { ...others, answer: { ...answer, names, absent } };
        });
        const { code, output } = await runMain(['doctor'], variables);
        expect({ code, output }).toEqual({ code: 2, output });
        expect(output).toMatch(/^NOT ASKED list: .*project/m);
        expect(output).not.toContain('DIFFERS');
      });

      it('takes an edit that the API lacks for no difference', async () => {
        const variables = await withChanged(({ operations, ...others }) => ({
          ...others,
          operations: { ...operations, editStudy: false },
        }));
        const { code, output } = await runMain(writing, variables, 'yes\n');
        expect({ code, output }).toEqual({ code: 0, output });
      });

      it('exits with 1 if a name in the contract is wrong', async () => {
        const variables = await withChanged(({ answer, ...others }) => ({
          ...others,
          answer: { ...answer, names: { ...answer?.names, audiences: 'nothing' } },
        }));
        const { code, output } = await runMain(['doctor'], variables);
        expect({ code, output }).toEqual({ code: 1, output });
        expect(output).toMatch(/audiences/);
      });
    });
  });
});

daily(() => {
  it('doctor says which address cannot be reached, and why', async () => {
    // No program listens on a port below 1024 that nobody has asked for.
    const url = 'http://127.0.0.1:2/';
    const env = { STUDY_API_URL: url, STUDY_API_TOKEN: token };
    const { code, output } = await runMain(['doctor'], env);
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(url) });
    expect(output).toContain('ECONNREFUSED');
  });
});
