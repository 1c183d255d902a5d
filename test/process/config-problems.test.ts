import { describe, expect, it } from 'vitest';
import { problems } from '../support/config.js';

const origins =
  'origins such as https://app.example.com or https://*.preview.example.com, separated by commas';
const apiUrl = 'an http or https URL without a user, a query or a fragment';
const redisUrl = 'a URL such as redis://user:password@host:6379/0';
const keys = 'name:sha256 or name:sha256:read, separated by commas, each name and hash once';
const ports = 'a whole number from 0 to 65535';
const deadlines = 'a whole number from 1 to 600000';

describe('a problem', () => {
  it.for([
    ['STUDY_API_URL', 'ftp://api.example.com', apiUrl],
    ['STUDY_API_URL', 'https://:secret@api.example.com', apiUrl],
    ['STUDY_API_URL', 'https://api.example.com/?key=secret', apiUrl],
    ['STUDY_API_TIMEOUT_MS', '10s', deadlines],
    ['STUDY_API_TIMEOUT_MS', '0', deadlines],
    ['STUDY_API_MAX_ANSWER_BYTES', '1023', 'a whole number from 1024 to 1073741824'],
    ['STUDY_API_MAX_CALLS', '0', 'a whole number from 1 to 65535'],
    ['AUTH_MODE', 'none', 'forward or service'],
    ['STUDY_API_TOKEN', 'a secret', 'a bearer token of RFC 6750'],
    ['JWT_JWKS_URL', 'keys.json', 'an http or https URL without a user'],
    ['JWT_WRITE_SCOPE', 'a b', 'one scope'],
    ['API_KEYS', 'secret', keys],
    ['REDIS_URL', 'http://:secret@redis.example.com', redisUrl],
    ['REDIS_URL', 'rediss://redis?ca=/secret.pem', redisUrl],
    ['REDIS_URL', 'redis://:secret@redis.example.com/secret', redisUrl],
    ['PORT', '-1', ports],
    ['PORT', '1e3', ports],
    ['PORT', '٨٠', ports],
    ['REUSE_PORT', '1', 'true or false'],
    ['CORS_ORIGINS', '*', origins],
    ['CORS_ORIGINS', 'https://app.example.com/', origins],
    ['CORS_ORIGINS', 'https://app.example.com,', origins],
    ['CORS_ORIGINS', 'http://*.example', origins],
    ['CORS_ORIGINS', 'https://app.*.example.com', origins],
    ['CORS_ORIGINS', 'https://*.example.com(x)', origins],
    ['MAX_BODY_BYTES', '1MB', 'a whole number from 1024 to 104857600'],
    ['TRUST_PROXY', 'true', 'a whole number from 0 to 10'],
    ['MAX_CONNECTIONS', '0', 'a whole number from 1 to 1000000'],
    ['KEEP_ALIVE_TIMEOUT_MS', '0', 'a whole number from 1 to 3600000'],
    ['SHUTDOWN_GRACE_MS', '600001', 'a whole number from 0 to 600000'],
    ['RATE_LIMIT_REQUESTS', '-1', 'a whole number from 0 to 1000000'],
    ['NODE_ENV', 'staging', 'development, production or test'],
    ['LOG_LEVEL', 'INFO', 'fatal, error, warn, info, debug, trace or silent'],
    ['FEDERATION', 'on', 'true or false'],
  ] as const)('is one sentence that repeats no secret: %s=%s', ([name, value, expected]) => {
    expect(problems({ [name]: value })).toEqual([`${name} must be ${expected}.`]);
  });

  it('is that of the first variable', () => {
    expect(problems({ PORT: 'http', STUDY_API_TIMEOUT_MS: '10s', LOG_LEVEL: 'INFO' })).toEqual([
      `STUDY_API_TIMEOUT_MS must be ${deadlines}.`,
    ]);
  });

  it.for([
    [
      { NODE_ENV: 'production', STUDY_API_URL: '' },
      'STUDY_API_URL must be set in production: the emulator is for development.',
    ],
    [
      { RATE_LIMIT_MUTATION_FIELDS: '4' },
      'RATE_LIMIT_MUTATION_FIELDS must be 0, or at least 5: a mutation may have as many root fields.',
    ],
    [{ HTTP_PROXY: 'proxy:3128' }, 'HTTP_PROXY and HTTPS_PROXY must be http or https URLs.'],
  ] as const)('is of several variables: %j', ([environment, problem]) => {
    expect(problems(environment)).toEqual([problem]);
  });
});

it.for([
  ['STUDY_API_URL', 'http://[::1]:4010/a%20b'],
  ['REDIS_URL', 'redis://127.0.0.1'],
  ['REDIS_URL', 'rediss://us%40er:p%40ss@[::1]:6380/15'],
] as const)('%s may be %s', ([name, url]) => {
  expect(problems({ [name]: url })).toEqual([]);
});

describe('JWT_JWKS_URL', () => {
  const jwt = {
    AUTH_MODE: 'service',
    NODE_ENV: 'production',
    STUDY_API_URL: 'https://api.example.com',
    STUDY_API_TOKEN: 'token',
    JWT_ISSUER: 'issuer',
    JWT_AUDIENCE: 'study-gateway',
  };

  it.for(['https://issuer.example.com/keys', 'http://localhost:8080/keys', 'http://[::1]/keys'])(
    'may be %s in production',
    (JWT_JWKS_URL) => {
      expect(problems({ ...jwt, JWT_JWKS_URL })).toEqual([]);
    },
  );

  it.for(['http://127.0.0.1.example.com/keys', 'http://10.0.0.1/keys'])(
    'may not be %s in production, and may be outside of it',
    (JWT_JWKS_URL) => {
      expect(problems({ ...jwt, JWT_JWKS_URL })).toEqual([
        'JWT_JWKS_URL must be https in production, except on this machine: whoever can change the keys on the way can impersonate every caller.',
      ]);
      expect(problems({ ...jwt, NODE_ENV: 'development', JWT_JWKS_URL })).toEqual([]);
    },
  );
});
