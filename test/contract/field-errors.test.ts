import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerBytes } from '../support/faults.js';
import {
  createStudy,
  allOperations,
  run,
  toFailedResponse,
  toStatusFailure,
} from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { answerJson } from '../support/study-api.js';

const refused = toStatusFailure(422, 'BAD_USER_INPUT', 'REJECTED');
/** A 422 body that is longer than the limit of a response, 4 MiB. */
const huge = `{"detail":[{"loc":["body"],"msg":"canary${' '.repeat(4 * 1024 * 1024)}"}]}`;

function toDetail(loc: readonly unknown[], msg: unknown = 'no'): object {
  return { loc, msg, type: 'canary', input: 'canary', ctx: { reason: 'canary' }, url: 'canary' };
}

describe.each(allOperations)('$field', (operation) => {
  it.each([
    { loc: ['body', 'progress', 'total'], path: ['input', 'progress', 'total'] },
    { loc: ['body', 'audiences', 3], path: ['input', 'audiences', 3] },
    { loc: ['body'], path: ['input'] },
    { loc: ['path', 'study_id'], path: ['id'] },
  ])('turns the location $loc of a 422 into the path $path', async ({ loc, path }) => {
    const gateway = await startTestGateway({ api: answerJson({ detail: [toDetail(loc)] }, 422) });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(
      toFailedResponse(operation, answer, { ...refused, fieldErrors: [{ path, message: 'no' }] }),
    );
    expect(answer.whole).not.toContain('canary');
    expect(JSON.stringify(gateway.log)).not.toContain('canary');
  });

  it.each([
    ['an empty list', '{"detail":[],"canary":"canary"}'],
    ['a list of other values', '{"detail":[1,null,["canary"],{"canary":"canary"}]}'],
    ['no message', '{"detail":[{"loc":["body","canary"]}]}'],
    ['a message that is no text', JSON.stringify({ detail: [toDetail(['body'], { canary: 1 })] })],
    ['an object without a reason', '{"code":"canary","stack":"at canary (/app/canary.js:1:1)"}'],
    ['a list', '[{"loc":["body"],"msg":"canary"}]'],
    ['a string', '"canary"'],
    ['null', 'null'],
    ['HTML', '<html><body>canary</body></html>'],
    ['nothing', ''],
    ['broken JSON', '{"detail":[{"loc":["body"],"msg":"canary"}'],
    ['bytes that are not UTF-8', Buffer.from('{"detail":"canary \xff"}', 'latin1')],
    ['more than 4 MiB', huge],
  ])('reports a 422 without a reason if its body is or has %s', async (_, body) => {
    const gateway = await startTestGateway({ api: answerBytes(body, {}, 422) });

    const answer = await run(gateway, operation);

    expect(answer.body).toEqual(toFailedResponse(operation, answer, refused));
    expect(answer.whole).not.toContain('canary');
    expect(JSON.stringify(gateway.log)).not.toContain('canary');
  });
});

it('gives no reasons of a compressed 422', async () => {
  const body = gzipSync(JSON.stringify({ detail: [toDetail(['body', 'files', 0])] }));
  const gateway = await startTestGateway({
    api: answerBytes(body, { 'content-encoding': 'gzip' }, 422),
  });

  const answer = await run(gateway, createStudy);

  expect(answer.body).toEqual(toFailedResponse(createStudy, answer, refused));
});

it.each([
  {
    what: '20 entries',
    detail: Array.from({ length: 1000 }, (_, index) => toDetail(['body', index])),
    fieldErrors: Array.from({ length: 20 }, (_, index) => ({
      path: ['input', index],
      message: 'no',
    })),
  },
  {
    what: '200 characters of a message',
    detail: [toDetail(['body'], 'm'.repeat(200)), toDetail(['body'], 'm'.repeat(100_000))],
    fieldErrors: [
      { path: ['input'], message: 'm'.repeat(200) },
      { path: ['input'], message: `${'m'.repeat(199)}…` },
    ],
  },
  {
    what: '8 steps of a path',
    detail: [toDetail(['body', ...Array(1000).keys()])],
    fieldErrors: [{ path: ['input', 0, 1, 2, 3, 4, 5, 6], message: 'no' }],
  },
  {
    what: '200 characters of a step',
    detail: [toDetail(['body', 's'.repeat(200)]), toDetail(['body', 's'.repeat(100_000)])],
    fieldErrors: [
      { path: ['input', 's'.repeat(200)], message: 'no' },
      { path: ['input', `${'s'.repeat(199)}…`], message: 'no' },
    ],
  },
])('passes on no more than $what', async ({ detail, fieldErrors }) => {
  const gateway = await startTestGateway({ api: answerJson({ detail }, 422) });

  const answer = await run(gateway, createStudy);

  expect(answer.body).toEqual(toFailedResponse(createStudy, answer, { ...refused, fieldErrors }));
});
