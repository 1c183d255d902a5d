import { hash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problems } from '../support/config.js';
import { createDirectory, startProgram } from '../support/process.js';

const STUDY_API_URL = 'https://api.example.com';
const API_KEYS = `ci:${hash('sha256', 'ci-key')}`;
const service = { AUTH_MODE: 'service', STUDY_API_URL, STUDY_API_TOKEN: 'token', API_KEYS };
const jwt = {
  JWT_JWKS_URL: 'https://issuer.example.com/keys',
  JWT_ISSUER: 'https://issuer.example.com/',
  JWT_AUDIENCE: 'study-gateway',
};

const missing =
  "API_KEYS or JWT_JWKS_URL must be set with AUTH_MODE=service: without them, everybody could write with the gateway's token.";
const noToken = 'STUDY_API_TOKEN or STUDY_API_TOKEN_FILE must be set with AUTH_MODE=service.';
const together =
  'JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE must be set together, also for JWT_WRITE_SCOPE.';

describe('AUTH_MODE=service', () => {
  it.each<[string, Record<string, string>, string?]>([
    ['API keys', {}],
    ['API keys in production', { NODE_ENV: 'production', HOST: '0.0.0.0' }],
    ['JWTs', { API_KEYS: '', ...jwt }],
    ['a token in a file', { STUDY_API_TOKEN: '', STUDY_API_TOKEN_FILE: '/token' }],
    ['the emulator, whose token is known', { STUDY_API_URL: '', STUDY_API_TOKEN: '' }],
    ['no caller', { API_KEYS: '' }, missing],
    ['no token', { STUDY_API_TOKEN: '' }, noToken],
    ['keys of an issuer that is not named', { ...jwt, JWT_ISSUER: '' }, together],
    ['an issuer for every audience', { ...jwt, JWT_AUDIENCE: '' }, together],
    ['an issuer without keys', { API_KEYS: '', ...jwt, JWT_JWKS_URL: '' }, together],
    ['a scope with API keys only', { JWT_WRITE_SCOPE: 'studies:write' }, together],
  ])('with %s', (_, environment, problem) => {
    expect(problems({ ...service, ...environment })).toEqual(problem ? [problem] : []);
  });

  it.each([
    ['a key in the clear', 'ci:secret'],
    ['a name twice', `${API_KEYS},ci:${hash('sha256', 'b')}`],
    ['a key twice', `${API_KEYS},b:${hash('sha256', 'ci-key').toUpperCase()}`],
    ['another right', `${API_KEYS}:write`],
    ['a comma at its end', `${API_KEYS},`],
  ])('may not have %s in API_KEYS', (_, keys) => {
    expect(problems({ ...service, API_KEYS: keys })).toEqual([
      'API_KEYS must be name:sha256 or name:sha256:read, separated by commas, each name and hash once.',
    ]);
  });

  it('does not start without the file of its token', async () => {
    const program = startProgram({
      env: { ...service, STUDY_API_TOKEN_FILE: join(createDirectory(), 'none'), PORT: '0' },
    });

    expect(await program.exit).toMatchObject({
      code: 1,
      stderr:
        'study-gateway cannot start.\nSTUDY_API_TOKEN_FILE: the file cannot be read, or holds no bearer token.\n',
    });
  });
});

it.each<[string, Record<string, string>]>([
  ['API_KEYS', { API_KEYS }],
  ['JWT_JWKS_URL', jwt],
  ['JWT_ISSUER', { JWT_ISSUER: jwt.JWT_ISSUER }],
  ['JWT_AUDIENCE', { JWT_AUDIENCE: jwt.JWT_AUDIENCE }],
  ['JWT_WRITE_SCOPE', { JWT_WRITE_SCOPE: 'studies:write' }],
  ['STUDY_API_TOKEN', { STUDY_API_TOKEN: 'token' }],
  ['STUDY_API_TOKEN_FILE', { STUDY_API_TOKEN_FILE: '/run/token' }],
])('AUTH_MODE=forward is refused with %s, which it would not use', (name, variables) => {
  expect(problems({ STUDY_API_URL, NODE_ENV: 'production', ...variables })).toEqual([
    `${name} does nothing without AUTH_MODE=service: set both, or neither of them.`,
  ]);
});
