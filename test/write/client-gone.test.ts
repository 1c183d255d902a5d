import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { operations, toLedger, toRequestBody } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { nextConnection } from '../support/next-connection.js';
import { token } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';

it.each(operations)('finishes $field even if its client has disconnected', async (operation) => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const gateway = await startTestGateway({ api: (response) => arrived.resolve(response) });
  const connection = nextConnection(gateway);
  const client = request(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  // Ignores the error of the client's own disconnect.
  client.on('error', () => {});
  client.end(toRequestBody(operation));

  const response = await arrived.promise;
  const ended = once(await connection, 'close');
  client.destroy();
  await ended;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(wholeStudy));
  await once(response, 'finish');

  const toOperations = () =>
    gateway.log.filter(({ msg }) => msg === 'operation').map(({ code }) => ({ code }));
  await expect.poll(toOperations, { interval: 5 }).toEqual([{ code: undefined }]);
  expect(toLedger(gateway)).toEqual([operation.request]);
});
