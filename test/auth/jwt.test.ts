import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { createStudy, study } from '../support/operations.js';
import { startTestGateway } from '../support/gateway.js';
import { wholeStudy } from '../support/studies.js';
import { audience, issuer, now, startIssuer, type Issuer } from '../support/issuer.js';
import { ask, challenges, toCalls, toRefused } from '../support/standing.js';

const expired = 'The token has expired.';
const invalid = 'The token is not valid here.';
const wrong = (claim: string): string =>
  `The token's "${claim}" is missing, or has an unexpected value.`;
/** Reasons in the log where the message to the caller has none. */
const noJwt = 'ERR_JWS_INVALID';
const algorithm = 'ERR_JOSE_ALG_NOT_ALLOWED';
const signature = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';

const granted = { status: 200, data: { createStudy: wholeStudy }, challenge: null };

it.each(['RS256', 'ES256', 'EdDSA'])('accepts a token signed with %s', async (alg) => {
  const issuer = await startIssuer(alg);
  const gateway = await startTestGateway(issuer.options);

  expect(await ask(gateway, await issuer.sign())).toEqual(granted);
  expect(toCalls(gateway)).toEqual(['POST /studies Bearer service-token']);
});

it.each<[string, JWTPayload]>([
  ['an audience among others', { aud: ['another', audience] }],
  ['an expiry within the clock skew', { exp: now() - 30 }],
  ['a begin within the clock skew', { nbf: now() + 30 }],
])('accepts %s', async (_, claims) => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway(issuer.options);

  expect(await ask(gateway, await issuer.sign(claims))).toEqual(granted);
});

type Forge = (issuer: Issuer) => Promise<string>;

const claims = { iss: issuer, aud: audience, sub: 'ada', exp: now() + 300 };

const forge =
  (claims: object): Forge =>
  (issuer) =>
    issuer.sign({ ...claims });

it.each<[string, string, Forge, string?]>([
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
  ['a begin beyond the clock skew', wrong('nbf'), forge({ nbf: now() + 120 })],
  ['no signature', invalid, async () => new UnsecuredJWT(claims).encode(), algorithm],
  [
    'HS256 with the public key for a secret',
    invalid,
    async (from) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
        .sign(Buffer.from(await from.publicKey())),
    algorithm,
  ],
  [
    'the key of another under its name',
    invalid,
    async () => (await startIssuer()).sign(),
    signature,
  ],
  [
    'a key that nobody knows',
    invalid,
    (issuer) => issuer.sign({}, { kid: 'another' }),
    'ERR_JWKS_NO_MATCHING_KEY',
  ],
  [
    'other claims under its signature',
    invalid,
    async (issuer) => {
      const [header, , signature] = (await issuer.sign()).split('.');
      const eve = (await issuer.sign({ sub: 'eve' })).split('.')[1];
      return [header, eve, signature].join('.');
    },
    signature,
  ],
  ['no JWT', invalid, async () => 'canary', noJwt],
  ['the token of the Study API', invalid, async () => 'service-token', noJwt],
])('refuses a token with %s before any call, and logs why', async (_, message, toToken, reason) => {
  const issuer = await startIssuer();
  const gateway = await startTestGateway(issuer.options);
  const token = await toToken(issuer);

  const answer = await ask(gateway, token);

  expect(answer).toEqual(toRefused(createStudy, 'UNAUTHENTICATED', message, challenges.token));
  expect(gateway.calls).toEqual([]);
  expect(gateway.log.find(({ msg }) => msg === 'operation')).toMatchObject({
    reason: reason ?? message,
  });
  expect(JSON.stringify([answer, gateway.log])).not.toContain(token);
});

describe('the scope for writes', () => {
  it.each<[string, JWTPayload]>([
    ['scope', { scope: 'openid studies:write' }],
    ['a list of scp', { scp: ['openid', 'studies:write'] }],
    ['a text of scp', { scp: 'openid studies:write' }],
  ])('lets a token with this scope in %s write', async (_, claims) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway({ ...issuer.options, jwtWriteScope: 'studies:write' });

    expect(await ask(gateway, await issuer.sign(claims))).toEqual(granted);
  });

  it.each<[string, JWTPayload]>([
    ['no scope', {}],
    ['another scope', { scope: 'studies:write:not', scp: ['studies'] }],
    ['a list for scope and a part of it in scp', { scope: ['studies:write'], scp: 'studies' }],
  ])('lets a token with %s only read', async (_, claims) => {
    const issuer = await startIssuer();
    const gateway = await startTestGateway({ ...issuer.options, jwtWriteScope: 'studies:write' });
    const token = await issuer.sign(claims);

    expect(await ask(gateway, token)).toEqual(
      toRefused(createStudy, 'FORBIDDEN', 'The token may read only.', challenges.scope),
    );
    expect(await ask(gateway, token, study)).toEqual({
      status: 200,
      data: { study: wholeStudy },
      challenge: null,
    });
    expect(toCalls(gateway)).toEqual([`GET /studies/${wholeStudy.id} Bearer service-token`]);
  });
});
