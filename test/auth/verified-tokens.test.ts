import { beforeEach, expect, it, vi } from 'vitest';
import { VerifiedTokens } from '../../src/auth/verified-tokens.js';
import { startTestGateway } from '../support/gateway.js';
import { now, startIssuer } from '../support/issuer.js';
import { ask } from '../support/standing.js';

const COOLDOWN_MS = 5_000;
const DAY_MS = 24 * 3_600_000;

const granted = { data: { createStudy: expect.anything() } };

// Fakes only the clocks; timers are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  return () => vi.useRealTimers();
});

it('accepts a verified token for a minute without the keys, and no longer', async () => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway(issuer.options);
  await ask(gateway, await issuer.sign());
  issuer.answerWith((_, response) => response.writeHead(503).end());
  vi.advanceTimersByTime(DAY_MS - 1_000);
  const token = await issuer.sign();
  expect(await ask(gateway, token)).toMatchObject(granted);

  // From the next second on, the keys are too old to verify a token.
  vi.advanceTimersByTime(59_000);
  expect(await ask(gateway, token)).toMatchObject(granted);

  vi.advanceTimersByTime(2_000);
  expect(await ask(gateway, token)).toMatchObject({
    errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'NOT_SENT' } }],
  });
});

it('refuses a verified token once it has expired', async () => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway(issuer.options);
  await ask(gateway, await issuer.sign());
  // The clocks may differ by 60 s, so the token is accepted for 12 s more.
  const token = await issuer.sign({ exp: now() - 48 });
  expect(await ask(gateway, token)).toMatchObject(granted);

  vi.advanceTimersByTime(11_000);
  expect(await ask(gateway, token)).toMatchObject(granted);

  vi.advanceTimersByTime(2_000);
  expect(await ask(gateway, token)).toMatchObject({
    errors: [{ message: 'The token has expired.' }],
  });
});

it('refuses a verified token as soon as the key of its signature is known to be withdrawn', async () => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway(issuer.options);
  const old = await issuer.sign();
  // The second request finds the token in the cache.
  expect(await ask(gateway, old)).toMatchObject(granted);
  expect(await ask(gateway, old)).toMatchObject(granted);

  await issuer.rotate();
  vi.advanceTimersByTime(COOLDOWN_MS);
  expect(await ask(gateway, await issuer.sign())).toMatchObject(granted);

  vi.advanceTimersByTime(COOLDOWN_MS);
  expect(await ask(gateway, old)).toMatchObject({
    errors: [{ message: 'The token is not valid here.' }],
  });
});

it('keeps the identities of different tokens apart', async () => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway({ ...issuer.options, jwtWriteScope: 'write' });
  const writer = await issuer.sign({ sub: 'ada', scope: 'write' });
  const reader = await issuer.sign({ sub: 'ada', scope: 'read' });

  for (let round = 0; round < 3; round++) {
    expect(await ask(gateway, writer)).toMatchObject(granted);
    expect(await ask(gateway, reader)).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN', outcome: 'NOT_SENT' } }],
    });
  }
});

it('does not remember a token that was verified with keys since replaced', () => {
  const tokens = new VerifiedTokens();
  const identity = { callerId: 'jwt:issuer:ada', mayWrite: true, claims: {}, logId: 'log-id' };
  const add = tokens.begin();
  tokens.clear();

  add('hash', identity, 60_000);
  expect(tokens.find('hash')).toBeUndefined();

  tokens.begin()('hash', identity, 60_000);
  expect(tokens.find('hash')).toBe(identity);
});

it('remembers 10,000 tokens, and forgets the least recently used one first', () => {
  const tokens = new VerifiedTokens();
  const identity = { callerId: 'jwt:issuer:ada', mayWrite: true, claims: {}, logId: 'log-id' };
  const add = tokens.begin();
  for (let index = 0; index <= 10_000; index++) add(String(index), identity, 60_000);

  expect(tokens.find('0')).toBeUndefined();
  expect(tokens.find('1')).toBe(identity);
});
