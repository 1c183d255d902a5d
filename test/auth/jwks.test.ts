import type { RequestListener, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { now, startIssuer, type Issuer } from '../support/issuer.js';
import { ask } from '../support/standing.js';

const COOLDOWN_MS = 5_000;
const REFRESH_MS = 300_000;
const HOUR_MS = 3_600_000;
const MIB = 1_048_576;

const granted = { status: 200, data: { createStudy: wholeStudy }, challenge: null };
const invalid = { errors: [{ message: 'The token is not valid here.' }] };
const missing = (): object => ({
  status: 503,
  errors: [
    {
      message:
        "The token cannot be verified until its issuer's keys are fetched again. Nothing was sent.",
      extensions: {
        code: 'UPSTREAM_UNAVAILABLE',
        outcome: 'NOT_SENT',
        retryable: true,
        retryAfterSeconds: 5,
        requestId: expect.any(String),
      },
    },
  ],
  challenge: null,
});

// Fakes the clocks, and the timer of the gateway. The timeouts of sockets and downloads are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
  return () => vi.useRealTimers();
});

const fail = (issuer: Issuer): void =>
  issuer.answerWith((_, response) => response.writeHead(503).end());

describe('the keys of the issuer', () => {
  it('are fetched again for a token with a new key, and a withdrawn key is refused after a minute', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const old = await issuer.sign();
    expect(await ask(gateway, old)).toEqual(granted);

    await issuer.rotate();
    vi.advanceTimersByTime(COOLDOWN_MS - 1);
    expect(await ask(gateway, await issuer.sign())).toEqual(missing());
    vi.advanceTimersByTime(1);

    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
    // A verified token is accepted for a minute.
    vi.advanceTimersByTime(60_000);
    expect(await ask(gateway, old)).toMatchObject(invalid);
    expect(issuer.fetches()).toBe(3);
  });

  it.each<[string, (issuer: Issuer) => unknown]>([
    ['has other keys', () => {}],
    ['fails', fail],
  ])(
    'are fetched once within 5 s for many bad tokens while the issuer %s',
    async (_, breakIssuer) => {
      const issuer = await startIssuer();
      const gateway = await startTestGateway(issuer.options);
      breakIssuer(issuer);
      const tokens = await Promise.all(
        Array.from({ length: 20 }, (_, n) => issuer.sign({}, { kid: `bad-${n}` })),
      );

      await Promise.all(tokens.map((token) => ask(gateway, token)));
      for (const token of tokens) await ask(gateway, token);
      expect(issuer.fetches()).toBe(1);

      vi.advanceTimersByTime(COOLDOWN_MS);
      await Promise.all(tokens.map((token) => ask(gateway, token)));
      expect(issuer.fetches()).toBe(2);
    },
  );

  it('are used for 24 h while the issuer is not available, and not for longer', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    await ask(gateway, await issuer.sign());
    fail(issuer);

    vi.advanceTimersByTime(24 * HOUR_MS - 1);
    expect(await ask(gateway, await issuer.sign())).toEqual(granted);

    vi.advanceTimersByTime(1_000);
    expect(await ask(gateway, await issuer.sign())).toEqual(missing());

    issuer.answerWith(undefined);
    vi.advanceTimersByTime(COOLDOWN_MS);
    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  });

  it('are fetched again in the background after 5 min, and no request waits for this', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const old = await issuer.sign({ exp: now() + 3_600 });
    await ask(gateway, old);
    await issuer.rotate();
    const asked = Promise.withResolvers<ServerResponse>();
    issuer.answerWith((_, response) => asked.resolve(response));

    vi.advanceTimersByTime(REFRESH_MS);
    const response = await asked.promise;
    expect(await ask(gateway, old)).toEqual(granted);
    response.end(issuer.keySet());

    // Polls by hand, because vitest's `waitFor` would advance the fake clocks.
    while ((await ask(gateway, await issuer.sign())).errors);
    expect(issuer.fetches()).toBe(2);
  });

  it('are read up to 1 MiB', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const token = await issuer.sign();
    issuer.answerWith((_, response) => response.end(issuer.keySet().padEnd(MIB + 1)));

    expect(await ask(gateway, token)).toEqual(missing());

    issuer.answerWith((_, response) => response.end(issuer.keySet().padEnd(MIB)));
    vi.advanceTimersByTime(COOLDOWN_MS);
    expect(await ask(gateway, token)).toEqual(granted);
  });

  it('are reported as not available whatever the issuer does, and nothing is sent', async () => {
    const answer = (given: RequestListener) => (issuer: Issuer) => issuer.answerWith(given);
    const breakers: Record<string, (issuer: Issuer) => unknown> = {
      'refuses connections': (issuer) => issuer.stop(),
      'sends a 500': answer((_, response) => response.writeHead(500).end()),
      'sends a page': answer((_, response) => response.end('<html>')),
      'sends no key set': answer((_, response) => response.end('{}')),
      'sends a redirect': answer((_, response) => response.writeHead(302, { location: '/' }).end()),
      'sends nothing': answer(() => {}),
      'sends half of a key set': answer((_, response) => response.write('{"keys":[')),
    };

    // All at once, because the two that end at the timeout take 3 s.
    const results = Object.entries(breakers).map(async ([name, breakIssuer]) => {
      const issuer = await startIssuer();
      const gateway = await startTestGateway(issuer.options);
      const token = await issuer.sign();
      await breakIssuer(issuer);
      const answer = await ask(gateway, token);
      expect(JSON.stringify(gateway.log)).not.toContain(token);
      const warnings = gateway.log.filter(({ level }) => level === 40);
      return [name, answer, gateway.calls, warnings];
    });

    const msg = 'the keys that verify tokens cannot be fetched';
    expect(await Promise.all(results)).toEqual(
      Object.keys(breakers).map((name) => [
        name,
        missing(),
        [],
        [expect.objectContaining({ msg })],
      ]),
    );
  });

  it.each<[string, (kid: object, other: string) => unknown]>([
    ['another key under the same id', (_, other) => JSON.parse(other)],
    ['a symmetric key', (kid) => ({ keys: [{ ...kid, kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }] })],
    ['a key without its numbers', (kid) => ({ keys: [{ ...kid, kty: 'EC', crv: 'P-256' }] })],
    ['what are no keys', () => ({ keys: [null, 7, 'key', {}] })],
  ])('admit nobody when the issuer publishes %s, until it publishes its own', async (_, toLie) => {
    const issuer = await startIssuer();
    const other = (await startIssuer()).keySet();
    const gateway = await startTestGateway(issuer.options);
    const token = await issuer.sign({ exp: now() + 3_600 });
    const lie = JSON.stringify(toLie({ kid: 'key-1', use: 'sig' }, other));
    issuer.answerWith((_, response) => response.end(lie));

    expect(await ask(gateway, token)).toHaveProperty('errors');
    expect(gateway.calls).toEqual([]);

    issuer.answerWith(undefined);
    // Keys that verify nothing are kept like others, until the next reload.
    vi.advanceTimersByTime(REFRESH_MS);
    while ((await ask(gateway, token)).errors);
    expect(issuer.fetches()).toBe(2);
  });
});

describe('a verified token', () => {
  it('is accepted for a minute without the keys, and no longer', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    await ask(gateway, await issuer.sign());
    fail(issuer);
    vi.advanceTimersByTime(24 * HOUR_MS - 1_000);
    const token = await issuer.sign();
    expect(await ask(gateway, token)).toEqual(granted);

    // From the next second on, the keys are too old to verify a token.
    vi.advanceTimersByTime(59_000);
    expect(await ask(gateway, token)).toEqual(granted);

    vi.advanceTimersByTime(2_000);
    expect(await ask(gateway, token)).toEqual(missing());
  });

  it('is refused once it has expired', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    await ask(gateway, await issuer.sign());
    // The clocks may differ by 60 s, so the token is accepted for 12 s more.
    const token = await issuer.sign({ exp: now() - 48 });
    expect(await ask(gateway, token)).toEqual(granted);

    vi.advanceTimersByTime(11_000);
    expect(await ask(gateway, token)).toEqual(granted);

    vi.advanceTimersByTime(2_000);
    expect(await ask(gateway, token)).toMatchObject({
      errors: [{ message: 'The token has expired.' }],
    });
  });

  it('keeps its own identity beside others of its subject', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway({ ...issuer.options, jwtWriteScope: 'write' });
    const writer = await issuer.sign({ sub: 'ada', scope: 'write' });
    const reader = await issuer.sign({ sub: 'ada', scope: 'read' });

    for (let round = 0; round < 2; round++) {
      expect(await ask(gateway, writer)).toEqual(granted);
      expect(await ask(gateway, reader)).toMatchObject({
        errors: [{ extensions: { code: 'FORBIDDEN', outcome: 'NOT_SENT' } }],
      });
    }
  });
});
