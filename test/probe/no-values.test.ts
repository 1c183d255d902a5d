import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assumed } from 'study-gateway-contract';
import { probe } from 'study-gateway-probe';
import { answerBytes, cut, toHead } from '../support/faults.js';
import { createDirectory, startProgram } from '../support/process.js';
import {
  answerJson,
  startStudyApi,
  type ReceivedCall,
  type Respond,
} from '../support/study-api.js';

const token = 'canary-of-the-token';
const value = 'canary-of-a-value';
/** Canary in every id: a text that the probe must never print. */
const idPart = 'c0ffee';
const number = 48_151_623;
/** Id of the study, which appears in URLs. */
const id = `${idPart}00-0000-4000-8000-000000000001`;

const study = {
  id,
  description: value,
  projectId: `${idPart}00-0000-4000-8000-000000000002`,
  createdAt: `2026-03-01T09:30:00.${number}Z`,
  bookmarked: true,
  language: value,
  audiences: [value],
  audiencesObj: [{ [value]: value }],
  problems: [value],
  problemsObj: [{ [value]: value }],
  files: [value],
  planId: value,
  progress: { total: number, completed: number, failed: number, [value]: value },
  status: value,
  solutionId: value,
  solution: { [value]: value },
  researchGoalId: value,
  researchGoal: { [value]: value },
  knowledgeGraphs: [value],
  strategy: value,
  interviewCount: number,
  interviews: [value],
  summaries: [value],
  [value]: value,
  [`${value} ${token}`]: value,
  [`\u001b[2J${value}`]: value,
};

const page = { items: [study], total: number, page: number, size: number, pages: number };

/** Study in which every field has the wrong type, and contains canaries. */
const broken = Object.fromEntries(
  Object.keys(study).map((name) => [name, { [value]: [value, number] }]),
);

const echo = ({ method, url, headers }: ReceivedCall): string =>
  `${method} ${url} ${headers.authorization} ${value} ${number}`;
const hostile = {
  'content-type': `${value}/${token}`,
  'retry-after': `${value} ${token}`,
  location: `/${token}/${value}`,
  'www-authenticate': `${token} ${value}`,
  'x-echo': token,
};

function ofStudies(one: object, many: unknown, headers: Record<string, string> = {}): Respond {
  return (response, call, request) =>
    answerJson(call.url.startsWith('/studies/') ? one : many, 200, headers)(
      response,
      call,
      request,
    );
}

/** APIs that answer with studies, with pages or with failures, all full of canaries. */
const apis: Record<string, Respond> = {
  'keeps the contract': ofStudies(study, page, { 'x-echo': token }),
  'returns the list as a bare array': ofStudies(study, [study]),
  'breaks every field': ofStudies(
    { ...broken, id },
    { ...page, items: [{ ...broken, id }, value] },
  ),
  'has hostile headers': ofStudies(study, page, hostile),
  'has a canary as content encoding': ofStudies(study, page, { 'content-encoding': value }),
  'answers with a JSON string': answerBytes(`"${value}"`),
  'answers with invalid JSON': answerBytes(`${value} ${token}`),
  ...Object.fromEntries(
    [307, 400, 401, 403, 404, 405, 422, 429, 500].map((status): [string, Respond] => [
      `answers ${status}`,
      (response, call, request) =>
        answerJson({ detail: [{ loc: [echo(call)], msg: echo(call) }] }, status, hostile)(
          response,
          call,
          request,
        ),
    ]),
  ),
  'ends the connection in the status line': cut(`${value} ${token}\r\n\r\n`, 'FIN'),
  'ends the connection in a header': cut(toHead('200 OK', [`x: ${token}\u0001`]), 'FIN'),
  'ends the connection in the body': cut(
    toHead('200 OK', ['content-length: 999'], `{"id":"${id}"`),
    'RST',
  ),
  'never answers': cut('', 'never'),
};

const project = `${idPart}00-0000-4000-8000-000000000003`;

/** Runs the probe, and returns everything that it writes, but for its journal. */
async function runToText(url: string, args: readonly string[]): Promise<string> {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const api = { baseUrl: new URL(url), readToken: () => Promise.resolve(token) };
  await probe(
    [...args, '--journal', join(createDirectory(), 'journal')],
    { ...api, contract: assumed, timeoutMs: 1_000, maxAnswerBytes: 1_000_000 },
    { print: write, note: write, progress: write, isColored: true },
  );
  return written.join('');
}

/** Returns the lines that contain a canary. The probe prints names of unknown fields, but no canary looks like a name. */
function findCanaries(text: string): string[] {
  const canaries = ['canary', idPart, String(number), '\u001b[2J'];
  return text.split('\n').filter((line) => canaries.some((canary) => line.includes(canary)));
}

it.for(Object.entries(apis))(
  'writes neither the token nor ids nor values of an API that %s',
  async ([, respond]) => {
    const { url, calls } = await startStudyApi(respond);

    const texts = await Promise.all(
      [[], ['--json'], ['--study', id, '--json'], ['--write', '--project', project]].map((args) =>
        runToText(url, args),
      ),
    );

    expect(calls.length).toBeGreaterThanOrEqual(4);
    expect(texts.map((text) => text.length > 70)).toEqual(Array(4).fill(true));
    // What is left behind is listed by id.
    expect(texts.map((text) => text.split('Left behind')[0]!).flatMap(findCanaries)).toEqual([]);
  },
);

it.for([
  ['--token', token],
  [`--${value}`],
  [value],
  ['--study', id, '--plan', value],
  Array.from({ length: 11 }, () => ['--study', id]).flat(),
])('does not repeat the invalid arguments %#', async (args) => {
  const text = await runToText('http://127.0.0.1:9', args);

  expect(text).toMatch(/^Wrong arguments\./);
  expect(findCanaries(text)).toEqual([]);
});

it('writes no canary and no file when run as a program', async () => {
  const { url } = await startStudyApi(apis['breaks every field']!);
  const cwd = createDirectory();
  const env = { STUDY_API_URL: url, STUDY_API_TOKEN: token };

  const { code, stdout, stderr } = await startProgram({ args: ['probe'], env, cwd }).exit;

  expect(code).toBe(1);
  expect(findCanaries(stdout + stderr)).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});
