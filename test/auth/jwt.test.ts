import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createStudy, operations, study } from '../operations.fixture.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { audience, issuer, now, startIssuer, type Issuer } from './issuer.fixture.js';
import { ask, challenges, toCalls, toRefused } from './standing.fixture.js';

const expired = 'The token has expired.';
const early = 'The token is not valid yet.';
const invalid = 'The token is not valid here.';
const wrong = (claim: string): string =>
  `The token's "${claim}" is missing, or not what it has to be.`;

const granted = { data: { createStudy: wholeStudy }, challenge: null };

it.each(['RS256', 'ES256', 'EdDSA'])('takes a token signed with %s', async (alg) => {
  const issuer = await startIssuer(alg);
  const gateway = await startTestGateway(issuer.options);

  expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  expect(toCalls(gateway)).toEqual(['POST /studies Bearer service-token']);
});

it.each<[string, JWTPayload]>([
  ['an audience among others', { aud: ['another', audience] }],
  ['an expiry within the clock skew', { exp: now() - 30 }],
  ['a begin within the clock skew', { nbf: now() + 30 }],
])('takes %s', async (_, claims) => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway(issuer.options);

  expect(await ask(gateway, await issuer.sign(claims))).toEqual(granted);
});

type Forge = (issuer: Issuer) => Promise<string>;

const forge =
  (claims: object): Forge =>
  (issuer) =>
    issuer.sign({ ...claims });

describe.each(operations)('$field', (operation) => {
  it.each<[string, string, Forge]>([
    ['another issuer', wrong('iss'), forge({ iss: 'https://evil.example.com/' })],
    ['no issuer', wrong('iss'), forge({ iss: undefined })],
    ['another audience', wrong('aud'), forge({ aud: 'another' })],
    ['no audience', wrong('aud'), forge({ aud: undefined })],
    ['no subject', wrong('sub'), forge({ sub: undefined })],
    ['an empty subject', wrong('sub'), forge({ sub: '' })],
    ['a subject that is no text', wrong('sub'), forge({ sub: 7 })],
    ['no expiry', wrong('exp'), forge({ exp: undefined })],
    ['an expiry that is no number', wrong('exp'), forge({ exp: 'never' })],
    ['an expiry beyond the clock skew', expired, forge({ exp: now() - 90 })],
    ['a begin beyond the clock skew', early, forge({ nbf: now() + 120 })],
    [
      'no signature',
      invalid,
      async () =>
        new UnsecuredJWT({ iss: issuer, aud: audience, sub: 'ada', exp: now() + 300 }).encode(),
    ],
    [
      'HS256 with the public key for a secret',
      invalid,
      async (from) =>
        new SignJWT({ iss: issuer, aud: audience, sub: 'ada', exp: now() + 300 })
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
          .sign(Buffer.from(await from.publicKey())),
    ],
    ['the key of another under its name', invalid, async () => (await startIssuer()).sign()],
    ['a key that nobody knows', invalid, (issuer) => issuer.sign({}, { kid: 'another' })],
    [
      'other claims under its signature',
      invalid,
      async (issuer) => {
        const [header, , signature] = (await issuer.sign()).split('.');
        const claims = (await issuer.sign({ sub: 'eve' })).split('.')[1];
        return [header, claims, signature].join('.');
      },
    ],
    ['no JWT', invalid, async () => 'canary'],
    ['the token of the Study API', invalid, async () => 'service-token'],
  ])('refuses a token with %s before it calls', async (_, message, forgeToken) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const token = await forgeToken(issuer);

    const answer = await ask(gateway, token, operation);

    expect(answer).toEqual(toRefused(operation, 'UNAUTHENTICATED', message, challenges.token));
    expect(gateway.calls).toEqual([]);
    expect(JSON.stringify([answer, gateway.log])).not.toContain(token);
  });

  it('refuses who has no token before it calls', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);

    expect(await ask(gateway, undefined, operation)).toEqual(
      toRefused(
        operation,
        'UNAUTHENTICATED',
        'Send your token as "Authorization: Bearer <API_TOKEN>".',
        challenges.none,
      ),
    );
    expect(gateway.calls).toEqual([]);
    expect(issuer.fetches()).toBe(0);
  });
});

describe('the scope for writes', () => {
  it.each<[string, JWTPayload]>([
    ['scope', { scope: 'openid studies:write' }],
    ['scp', { scp: ['openid', 'studies:write'] }],
  ])('lets a token with it in %s write', async (_, claims) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway({ ...issuer.options, jwtWriteScope: 'studies:write' });

    expect(await ask(gateway, await issuer.sign(claims))).toEqual(granted);
  });

  it.each<[string, JWTPayload]>([
    ['none', {}],
    ['another', { scope: 'studies:write:not', scp: ['studies'] }],
    ['a list for scope and a text for scp', { scope: ['studies:write'], scp: 'studies:write' }],
  ])('lets a token with %s read only', async (_, claims) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway({ ...issuer.options, jwtWriteScope: 'studies:write' });
    const token = await issuer.sign(claims);

    expect(await ask(gateway, token)).toEqual(
      toRefused(createStudy, 'FORBIDDEN', 'The token may read only.', challenges.scope),
    );
    expect(await ask(gateway, token, study)).toEqual({
      data: { study: wholeStudy },
      challenge: null,
    });
    expect(toCalls(gateway)).toEqual([`GET /studies/${wholeStudy.id} Bearer service-token`]);
  });
});

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
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const old = await issuer.sign();
    expect(await ask(gateway, old)).toEqual(granted);

    await issuer.rotate();
    vi.setSystemTime(Date.now() + 6_000);

    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
    expect(await ask(gateway, old)).toMatchObject({ errors: [{ message: invalid }] });
    expect(issuer.fetches()).toBe(2);
  });

  it('are not fetched for every token with a key that nobody knows', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    await ask(gateway, await issuer.sign());

    for (const kid of ['a', 'b', 'c']) await ask(gateway, await issuer.sign({}, { kid }));

    expect(issuer.fetches()).toBe(1);
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
  ])('are missed honestly when %s, and nothing is sent', async (_, breakIssuer) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    const token = await issuer.sign();
    await breakIssuer(issuer);

    expect(await ask(gateway, token)).toEqual({
      data: { createStudy: null },
      errors: [
        {
          message:
            'The keys to verify the token with cannot be fetched at the moment. Nothing was sent.',
          locations: [{ line: 2, column: 3 }],
          path: ['createStudy'],
          extensions: {
            code: 'UPSTREAM_UNAVAILABLE',
            outcome: 'NOT_SENT',
            retryable: true,
            requestId: expect.any(String),
          },
        },
      ],
      challenge: null,
    });
    expect(gateway.calls).toEqual([]);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        msg: 'the keys that tokens are verified with cannot be fetched',
      }),
    );
    expect(JSON.stringify(gateway.log)).not.toContain(token);
  });

  it('are there again as soon as the issuer is', async () => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway(issuer.options);
    issuer.answerWith((_, response) => response.writeHead(503).end());
    expect(await ask(gateway, await issuer.sign())).toMatchObject({ errors: [{}] });

    issuer.answerWith(undefined);

    expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  });
});
