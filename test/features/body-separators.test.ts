import { describe, expect, it } from 'vitest';
import { post } from '../support/bombs.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

describe('the separators of a body', () => {
  const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
  /** Nine separators, and nine kinds of text that look like more. */
  const others = String.raw`{ "language" : "[{,\"\\" , "progress":{ }, "files":[
    ], "problems" : [ "" ] , "status":"\\\"{\u005b", "bookmarked":true }`;
  const toBody = (count: number): string =>
    `{"query":${JSON.stringify(create)},"variables":{"input":{"audiences":[${Array(count).fill('"a,[{"').join(',')}],${others.slice(1)}}}`;

  it('may be 20,000, and one more is refused', async () => {
    const gateway = await startTestGateway();

    const within = await post(gateway, toBody(20_000 - 13));
    const over = await post(gateway, toBody(20_000 - 12));

    expect(within).toEqual({ status: 200, body: { data: { createStudy: { id: wholeStudy.id } } } });
    const message =
      'The request body has more than 20000 commas and opening brackets outside of its strings, which is the limit.';
    expect(over).toMatchObject({
      status: 400,
      body: { errors: [{ message, extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } }] },
    });
    expect(gateway.calls).toHaveLength(1);
  });

  it('reach the Study API, thousands of strings in every list', async () => {
    const gateway = await startTestGateway();
    const texts = Array.from({ length: 1_600 }, (_, index) => `text ${index}`);
    const lists = ['audiences', 'files', 'knowledgeGraphs', 'interviews', 'problems'];
    const input = Object.fromEntries(lists.map((name) => [name, texts]));

    const { errors } = await gateway.graphql(create, { input });

    expect(errors).toBeUndefined();
    expect(gateway.calls.map(({ body }) => JSON.parse(body))).toEqual([input]);
  });
});
