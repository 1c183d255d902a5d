import { variables } from '../../src/config/variables.js';
import { misbehaving } from '../support/failures.js';
import { createStudy } from '../support/operations.js';
import { toPostInit } from '../support/post.js';
import { startReadyProgram, type ProgramOptions } from '../support/process.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson, startStudyApi, type Respond } from '../support/study-api.js';
import { irregular, refused, regular, regularLists } from './requests.fixture.js';

/** No variables make a budget of answers that is smaller than one answer. */
const { noRoom: _, ...settable } = misbehaving;

/** The failures that a Study API can cause, each with the variables of its settings. */
const rows = Object.entries(settable).map(([name, { api, ...settings }]) => {
  // A deadline of a second, which also the first call of a busy machine keeps.
  const values = Object.entries({ ...settings, deadlineMs: 1_000 }).map(([option, value]) => [
    variables.rest[option as keyof typeof variables.rest].name,
    String(value),
  ]);
  return { name, api, env: Object.fromEntries(values) as Record<string, string> };
});

export const failures = rows.map(({ name }) => name);

const requests = { ...regular, ...regularLists, ...refused, ...irregular };

interface AllAnswers {
  /** Status, media type and body of each response, by request. */
  readonly answers: Record<string, string>;
  /** Status, media type and body of the response to a write, by failure. */
  readonly failures: Record<string, string>;
}

/** Returns the answers of a program to all requests and to the failures in `names`, without ids of requests. */
export async function answerAll(
  program: ProgramOptions,
  names: readonly string[] = failures,
): Promise<AllAnswers> {
  const all: AllAnswers = { answers: {}, failures: {} };
  // Failures with the same variables share a program.
  const wanted = rows.filter(({ name }) => names.includes(name));
  for (const group of Map.groupBy(wanted, ({ env }) => JSON.stringify(env)).values()) {
    let respond: Respond = () => {};
    const { url: STUDY_API_URL } = await startStudyApi((...call) => respond(...call));
    const env = { ...group[0]!.env, STUDY_API_URL };
    const { url } = await startReadyProgram({ ...program, env });
    const ask = async (body: object | string): Promise<string> => {
      const response = await fetch(`${url}/graphql`, toPostInit(body));
      const type = response.headers.get('content-type');
      const text = (await response.text()).replace(/(?<="requestId":")[^"]+/g, 'one');
      return `${response.status} ${type}\n${text}`;
    };
    if (Object.keys(all.answers).length === 0) {
      all.answers['the schema'] = await (await fetch(`${url}/schema.graphql`)).text();
      for (const [name, request] of Object.entries(requests)) {
        respond = answerJson(name in regularLists ? toPage([wholeStudy]) : wholeStudy);
        all.answers[name] = await ask(request);
      }
    }
    for (const { name, api } of group) {
      respond = api;
      all.failures[name] = await ask({
        query: createStudy.document,
        variables: createStudy.variables,
      });
    }
  }
  return all;
}
