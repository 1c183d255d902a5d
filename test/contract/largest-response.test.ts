import { describe, expect, it } from 'vitest';
import { repeat } from '../support/bombs.js';
import { startTestGateway } from '../support/gateway.js';
import { toPage, wholeStudy } from '../support/studies.js';
import { answerJson, type Respond } from '../support/study-api.js';

/** Bytes of a response beside those of the answers: its names and braces. */
const FRAME_BYTES = 4_000;

const large = {
  ...wholeStudy,
  description: 'x'.repeat(5_000),
  audiences: Array.from({ length: 100 }, (_, index) => `audience ${index}`),
  solution: { text: 'y'.repeat(5_000) },
};
const page = toPage(
  Array.from({ length: 100 }, () => large),
  { size: 100, total: 100 },
);
const all = Object.keys(wholeStudy)
  .map((name) => (name === 'progress' ? 'progress { total completed failed }' : name))
  .join(' ');

const toId = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Answers a read of one study with its id, and any other read with the page. Adds up the bytes of the answers. */
function startApi() {
  const sent = { bytes: 0 };
  const api: Respond = (response, call, request) => {
    const id = /\/studies\/([^/?]+)/.exec(call.url)?.[1];
    const isOne = id !== undefined || call.method === 'POST';
    const answer = isOne ? { ...large, id: id ?? wholeStudy.id } : page;
    sent.bytes += Buffer.byteLength(JSON.stringify(answer));
    answerJson(answer)(response, call, request);
  };
  return { api, sent };
}

const entities = (selection: string, prefix = ''): string =>
  `${prefix}_entities(representations: $r) { ${selection} }`;
const representations = (count: number, toIndex = (index: number) => index): object[] =>
  Array.from({ length: count }, (_, index) => ({ __typename: 'Study', id: toId(toIndex(index)) }));

type Row = readonly [what: string, body: { query: string; variables?: object }];

/** Requests that are carried out, and may only repeat names. */
const carriedOut: readonly Row[] = [
  ['a page of a hundred studies', { query: `{ studies(size: 100) { items { ${all} } total } }` }],
  [
    'a field many times under one name',
    {
      query: `{ studies(size: 100) { items { ${repeat(40, () => 'a: description')} ...F ...F ... { ...F } } items { ...F } } } fragment F on Study { a: description ${all.replace('description', '')} }`,
    },
  ],
  [
    'one study ten times',
    { query: `{ ${repeat(10, (i) => `a${i}: study(id: "${toId(1)}") { ${all} }`)} }` },
  ],
  [
    'five writes',
    { query: `mutation { ${repeat(5, (i) => `a${i}: createStudy(input: {}) { ${all} }`)} }` },
  ],
  [
    'one entity in ten lists',
    {
      query: `query ($r: [_Any!]!) { ${repeat(10, (i) => entities(`... on Study { ${all} }`, `a${i}: `))} }`,
      variables: { r: representations(20, () => 1) },
    },
  ],
];

describe.each([
  ['by a plan', true],
  ['by graphql-js', false],
])('%s, a response', (_, plans) => {
  it('repeats nothing of an entity by fragments on the union and on its type', async () => {
    const gateway = await startTestGateway({ plans, federation: true });

    const response = await gateway.post({
      query: `query ($r: [_Any!]!) { ${entities('...U ... on Study { b: description }')} } fragment U on _Entity { ...S } fragment S on Study { a: description }`,
      variables: { r: representations(20) },
    });

    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/under one name only/);
    expect(gateway.calls).toEqual([]);
  });

  it.each(carriedOut)('is no larger than its answers: %s', async (__, body) => {
    const { api, sent } = startApi();
    const gateway = await startTestGateway({ plans, federation: true, api });

    const response = await gateway.post(body);
    const text = await response.text();

    expect(response.status).toBe(200);
    expect(text).not.toContain('"errors"');
    expect(text).toContain('xxxxx');
    expect(Buffer.byteLength(text)).toBeLessThan(sent.bytes + FRAME_BYTES);
  });
});
