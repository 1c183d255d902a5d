import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { operations, toLedger, toRequestBody } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { token } from '../support/post.js';
import { wholeStudy } from '../support/studies.js';

/** The gateway's end of the next connection that a client makes. */
function nextConnection({ url }: { url: string }): Promise<Socket> {
  const connection = Promise.withResolvers<Socket>();
  const listen = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === Number(new URL(url).port)) connection.resolve(socket);
  };
  subscribe('net.server.socket', listen);
  onTestFinished(() => void unsubscribe('net.server.socket', listen));
  return connection.promise;
}

it.each(operations)('finishes $field though its client has gone', async (operation) => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const gateway = await startTestGateway({ api: (response) => arrived.resolve(response) });
  const connection = nextConnection(gateway);
  const client = request(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  });
  // Hanging up is what the test is about.
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
    gateway.log.filter(({ msg }) => msg === 'operation').map(({ errors }) => ({ errors }));
  await expect.poll(toOperations, { interval: 5 }).toEqual([{ errors: undefined }]);
  expect(toLedger(gateway)).toEqual([operation.request]);
});
