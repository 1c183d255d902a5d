import { beforeEach, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { now, startIssuer } from '../support/issuer.js';
import { ask } from '../support/standing.js';

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
