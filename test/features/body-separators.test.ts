import { expect, it } from 'vitest';
import { post } from '../support/bombs.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';

it('a body has at most 20,000 commas and opening brackets, those in strings included', async () => {
  const gateway = await startTestGateway();
  const create = 'mutation ($input: CreateStudyInput!) { createStudy(input: $input) { id } }';
  /** Six separators, and three for each item of the list. */
  const toBody = (count: number): string => {
    const audiences = Array(count).fill('a,[');
    return JSON.stringify({ query: create, variables: { input: { audiences } } });
  };

  const within = await post(gateway, toBody(6_664));
  const over = await post(gateway, toBody(6_665));

  expect(within).toEqual({ status: 200, body: { data: { createStudy: { id: wholeStudy.id } } } });
  const message =
    'The request body has more than 20000 commas and opening brackets, which is the limit.';
  expect(over).toMatchObject({
    status: 400,
    body: { errors: [{ message, extensions: { code: 'BAD_USER_INPUT', outcome: 'NOT_SENT' } }] },
  });
  expect(gateway.calls).toHaveLength(1);
});
