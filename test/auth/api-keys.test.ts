import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createStudy, allOperations, study } from '../support/operations.js';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { ask, challenges, toCalls, toRefused } from '../support/standing.js';

const options = {
  authMode: 'service',
  studyApiToken: 'service-token',
  apiKeys: [
    { name: 'ci', sha256: hash('sha256', 'ci-key'), mayWrite: true },
    { name: 'board', sha256: hash('sha256', 'board-key'), mayWrite: false },
  ],
} satisfies TestGatewayOptions;

it('calls the Study API with the token of the gateway for a caller with an API key', async () => {
  const gateway = await startTestGateway(options);

  expect(await ask(gateway, 'ci-key')).toEqual({
    data: { createStudy: wholeStudy },
    status: 200,
    challenge: null,
  });
  expect(toCalls(gateway)).toEqual(['POST /studies Bearer service-token']);
  expect(JSON.stringify([gateway.calls, gateway.log])).not.toContain('ci-key');
});

it('lets a read-only key read, and not write', async () => {
  const gateway = await startTestGateway(options);

  expect(await ask(gateway, 'board-key')).toEqual(
    toRefused(createStudy, 'FORBIDDEN', 'The token may read only.', challenges.scope),
  );
  expect(await ask(gateway, 'board-key', study)).toEqual({
    data: { study: wholeStudy },
    status: 200,
    challenge: null,
  });
  expect(toCalls(gateway)).toEqual([`GET /studies/${wholeStudy.id} Bearer service-token`]);
});

it.each([
  ...allOperations.map((operation) => ({ operation, what: 'another key', key: 'canary' })),
  { operation: createStudy, what: 'the hash of a key', key: hash('sha256', 'ci-key') },
  { operation: createStudy, what: 'the name of a key', key: 'ci' },
  { operation: createStudy, what: 'the token of the Study API', key: 'service-token' },
])('refuses $operation.field with $what before any call', async ({ operation, key }) => {
  const gateway = await startTestGateway(options);
  const message = 'The API key is not known.';

  expect(await ask(gateway, key, operation)).toEqual(
    toRefused(operation, 'UNAUTHENTICATED', message, challenges.token),
  );
  expect(gateway.calls).toEqual([]);
  expect(gateway.log.find(({ msg }) => msg === 'operation')).toMatchObject({ reason: message });
  expect(JSON.stringify(gateway.log)).not.toContain('canary');
});
