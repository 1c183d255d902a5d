import type { ServerResponse } from 'node:http';
import { SignJWT } from 'jose';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { now, startIssuer, type Issuer } from '../support/issuer.js';
import { ask } from '../support/standing.js';

vi.setConfig({ testTimeout: 20_000 });

const COOLDOWN_MS = 5_000;
const REFRESH_MS = 600_000;
const HOUR_MS = 3_600_000;
const MIB = 1_048_576;

const granted = { data: { createStudy: wholeStudy }, challenge: null };
const invalid = { errors: [{ message: 'The token is not valid here.' }] };
const missing = (retryAfterSeconds: unknown = expect.any(Number)): object => ({
  data: { createStudy: null },
  errors: [
    {
      message:
        "The token cannot be verified until its issuer's keys are fetched again. Nothing was sent.",
      locations: [{ line: 2, column: 3 }],
      path: ['createStudy'],
      extensions: {
        code: 'UPSTREAM_UNAVAILABLE',
        outcome: 'NOT_SENT',
        retryable: true,
        retryAfterSeconds,
        requestId: expect.any(String),
      },
    },
  ],
  challenge: null,
});

// Only the clocks stand still; timers run.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  return () => vi.useRealTimers();
});

const fail = (issuer: Issuer): void =>
  issuer.answerWith((_, response) => response.writeHead(503).end());

/** Writes spaces for as long as somebody takes them, 256 MiB at most. */
function pour(issuer: Issuer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  issuer.answerWith((_, response) => {
    const block = Buffer.alloc(MIB, ' ');
    let blocks = 0;
    const write = (): void => {
      while (blocks < 256 && !response.destroyed) {
        blocks++;
        if (!response.write(block)) return void response.once('drain', write);
      }
      response.end();
    };
    response.once('close', () => resolve(blocks * MIB));
    write();
  });
  return promise;
}

describe('the keys of the issuer', () => {
  it('are fetched once for many tokens', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const tokens = await Promise.all([1, 2, 3, 4].map((n) => issuer.sign({ sub: `user-${n}` })));

    const answers = await Promise.all(tokens.map((token) => ask(gateway, token)));

    expect(answers).toEqual(tokens.map(() => granted));
    expect(issuer.fetches()).toBe(1);
  });

  it('are fetched again for a new one, and the old one is refused then', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const old = await issuer.sign();
    expect(await ask(gateway, old)).toEqual(granted);

    await issuer.rotate();
    vi.advanceTimersByTime(COOLDOWN_MS);

    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
    vi.advanceTimersByTime(COOLDOWN_MS);
    expect(await ask(gateway, old)).toMatchObject(invalid);
    expect(issuer.fetches()).toBe(3);
  });

  it('say nothing yet of a new key within 5 s of a fetch, and have it then', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    await ask(gateway, await issuer.sign());
    await issuer.rotate();
    vi.advanceTimersByTime(2_000);

    expect(await ask(gateway, await issuer.sign())).toEqual(missing(3));

    vi.advanceTimersByTime(3_000);
    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  });

  it.each<[string, (issuer: Issuer) => unknown]>([
    ['has other keys', () => {}],
    ['is away', fail],
  ])('are fetched once in 5 s for 100 bad tokens while the issuer %s', async (_, breakIssuer) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    breakIssuer(issuer);
    const tokens = await Promise.all(
      Array.from({ length: 100 }, (_, n) => issuer.sign({}, { kid: `bad-${n}` })),
    );

    for (const token of tokens) await ask(gateway, token);
    expect(issuer.fetches()).toBe(1);

    vi.advanceTimersByTime(COOLDOWN_MS);
    await Promise.all(tokens.map((token) => ask(gateway, token)));
    expect(issuer.fetches()).toBe(2);
  });

  it('are not fetched for a token that no key would make good', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const hs256 = await new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .sign(Buffer.from(await issuer.publicKey()));

    for (const token of ['canary', 'a.b.c', hs256])
      expect(await ask(gateway, token)).toMatchObject(invalid);

    expect(issuer.fetches()).toBe(0);
  });

  it('are used for 24 h while the issuer is away, and not for longer', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    await ask(gateway, await issuer.sign());
    fail(issuer);

    vi.advanceTimersByTime(24 * HOUR_MS);
    expect(await ask(gateway, await issuer.sign())).toEqual(granted);

    vi.advanceTimersByTime(1_000);
    expect(await ask(gateway, await issuer.sign())).toEqual(missing());

    issuer.answerWith(undefined);
    vi.advanceTimersByTime(COOLDOWN_MS);
    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  });

  it('are fetched again after 10 min, with no request and none that waits', async () => {
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

    // vitest's own waiting would move the clocks.
    while (!(await ask(gateway, old)).errors);
    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
    expect(issuer.fetches()).toBe(2);
  });

  it('are read up to 1 MiB', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const token = await issuer.sign();
    const poured = pour(issuer);

    expect(await ask(gateway, token)).toEqual(missing());

    // The kernel's buffers take some more.
    expect(await poured).toBeLessThan(32 * MIB);
    issuer.answerWith((_, response) => response.end(issuer.keySet().padEnd(MIB)));
    vi.advanceTimersByTime(COOLDOWN_MS);
    expect(await ask(gateway, token)).toEqual(granted);
  });

  it.each<[string, (issuer: Issuer) => unknown]>([
    ['nobody answers', (issuer) => issuer.stop()],
    [
      'a 500 answers',
      (issuer) => issuer.answerWith((_, response) => response.writeHead(500).end()),
    ],
    ['a page answers', (issuer) => issuer.answerWith((_, response) => response.end('<html>'))],
    ['no key set answers', (issuer) => issuer.answerWith((_, response) => response.end('{}'))],
    [
      'a redirect answers',
      (issuer) =>
        issuer.answerWith((_, response) => response.writeHead(302, { location: '/' }).end()),
    ],
    ['nothing comes', (issuer) => issuer.answerWith(() => {})],
    [
      'half of it comes',
      (issuer) => issuer.answerWith((_, response) => response.write('{"keys":[')),
    ],
  ])('are missed honestly when %s, and nothing is sent', async (_, breakIssuer) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const token = await issuer.sign();
    await breakIssuer(issuer);

    expect(await ask(gateway, token)).toEqual(missing());
    expect(gateway.calls).toEqual([]);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        msg: 'the keys that verify tokens cannot be fetched',
      }),
    );
    expect(JSON.stringify(gateway.log)).not.toContain(token);
  });

  it('are there again within 5 s of the issuer', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    fail(issuer);
    expect(await ask(gateway, await issuer.sign())).toEqual(missing(5));

    issuer.answerWith(undefined);
    vi.advanceTimersByTime(COOLDOWN_MS);

    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  });
});
