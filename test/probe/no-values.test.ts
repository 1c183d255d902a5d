import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ConfigError } from '../../src/config/config.js';
import { probe } from '../../src/probe/probe.js';
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
/** In every id. */
const idPart = 'c0ffee';
const number = 48_151_623;
/** In the address, where a hostile name could stand. */
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

/** Fields of every wrong type, still with their values. */
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

/** Studies and pages, told and untold ways to fail, all full of canaries. */
const apis: Record<string, Respond> = {
  'keeps the contract': ofStudies(study, page, { 'x-echo': token }),
  'has a bare array': ofStudies(study, [study]),
  'breaks every field': ofStudies(
    { ...broken, id },
    { ...page, items: [{ ...broken, id }, value] },
  ),
  'has hostile headers': ofStudies(study, page, hostile),
  'names an encoding': ofStudies(study, page, { 'content-encoding': value }),
  'says nothing but a text': answerBytes(`"${value}"`),
  'says no JSON': answerBytes(`${value} ${token}`),
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
  'ends in the status line': cut(`${value} ${token}\r\n\r\n`, 'FIN'),
  'ends in a header': cut(toHead('200 OK', [`x: ${token}\u0001`]), 'FIN'),
  'ends in the body': cut(toHead('200 OK', ['content-length: 999'], `{"id":"${id}"`), 'RST'),
  'says nothing': cut('', 'never'),
};

/** Everything that one run writes, thrown errors included. */
async function runToText(url: string, args: readonly string[]): Promise<string> {
  const written: string[] = [];
  const write = (text: string): void => void written.push(text);
  const environment = {
    STUDY_API_URL: url,
    STUDY_API_TOKEN: token,
    STUDY_API_TIMEOUT_MS: '200',
  };
  await probe(args, environment, { print: write, note: write, isColored: true }).catch(
    (error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      write(error.message);
    },
  );
  return written.join('');
}

/** Lines with a canary. A name of a field is shown where it is a name: those of the canaries are none. */
function findCanaries(text: string): string[] {
  const canaries = ['canary', idPart, String(number), '\u001b[2J'];
  return text.split('\n').filter((line) => canaries.some((canary) => line.includes(canary)));
}

it.for(Object.entries(apis))(
  'writes neither the token nor an id nor a value of an API that %s',
  async ([, respond]) => {
    const { url, calls } = await startStudyApi(respond);

    const texts = await Promise.all(
      [[], ['--json'], ['--study', id], ['--study', id, '--json'], ['--study', id, '--plan']].map(
        (args) => runToText(url, args),
      ),
    );

    expect(calls.length).toBeGreaterThanOrEqual(4);
    expect(texts.map((text) => text.length > 500)).toEqual(Array(5).fill(true));
    expect(texts.flatMap(findCanaries)).toEqual([]);
  },
);

it.for([
  ['--token', token],
  [`--${value}`],
  [value],
  ['--study', id, '--plan', value],
  Array.from({ length: 11 }, () => ['--study', id]).flat(),
])('repeats nothing of the arguments %#', async (args) => {
  const text = await runToText('http://127.0.0.1:9', args);

  expect(text).toMatch(/^Usage: /);
  expect(findCanaries(text)).toEqual([]);
});

it('leaves no canary in the output of the program, and no file', async () => {
  const { url } = await startStudyApi(apis['breaks every field']!);
  const cwd = createDirectory();
  const env = { STUDY_API_URL: url, STUDY_API_TOKEN: token };

  const { code, stdout, stderr } = await startProgram({ args: ['probe'], env, cwd }).exit;

  expect(code).toBe(1);
  expect(findCanaries(stdout + stderr)).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});
