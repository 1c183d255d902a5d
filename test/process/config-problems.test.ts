import { describe, expect, it } from 'vitest';
import { problems } from '../support/config.js';

describe('problems', () => {
  it.for([
    [
      'STUDY_API_TIMEOUT_MS',
      '10s',
      'STUDY_API_TIMEOUT_MS must be a whole number from 1 to 600000.',
    ],
    [
      'STUDY_API_MAX_ANSWER_BYTES',
      '1023',
      'STUDY_API_MAX_ANSWER_BYTES must be a whole number from 1024 to 1073741824.',
    ],
    ['STUDY_API_MAX_CALLS', '0', 'STUDY_API_MAX_CALLS must be a whole number from 1 to 65535.'],
    ['AUTH_MODE', 'none', 'AUTH_MODE must be forward or service.'],
    ['STUDY_API_TOKEN', 'a secret', 'STUDY_API_TOKEN must be a bearer token of RFC 6750.'],
    ['JWT_JWKS_URL', 'keys.json', 'JWT_JWKS_URL must be an http or https URL without a user.'],
    ['JWT_WRITE_SCOPE', 'a b', 'JWT_WRITE_SCOPE must be one scope.'],
    [
      'API_KEYS',
      'secret',
      'API_KEYS must be name:sha256 or name:sha256:read, separated by commas, each name and hash once.',
    ],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535.'],
    ['REUSE_PORT', '1', 'REUSE_PORT must be true or false.'],
    [
      'CORS_ORIGINS',
      '*',
      'CORS_ORIGINS must be origins such as https://app.example.com or https://*.preview.example.com, separated by commas.',
    ],
    ['MAX_BODY_BYTES', '1MB', 'MAX_BODY_BYTES must be a whole number from 1024 to 104857600.'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY must be a whole number from 0 to 10.'],
    ['MAX_CONNECTIONS', '0', 'MAX_CONNECTIONS must be a whole number from 1 to 1000000.'],
    ['REQUEST_TIMEOUT_MS', '0', 'REQUEST_TIMEOUT_MS must be a whole number from 1 to 600000.'],
    [
      'KEEP_ALIVE_TIMEOUT_MS',
      '0',
      'KEEP_ALIVE_TIMEOUT_MS must be a whole number from 1 to 3600000.',
    ],
    ['SHUTDOWN_GRACE_MS', '600001', 'SHUTDOWN_GRACE_MS must be a whole number from 0 to 600000.'],
    ['RATE_LIMIT_REQUESTS', '-1', 'RATE_LIMIT_REQUESTS must be a whole number from 0 to 1000000.'],
    [
      'RATE_LIMIT_MUTATION_FIELDS',
      'none',
      'RATE_LIMIT_MUTATION_FIELDS must be a whole number from 0 to 1000000.',
    ],
    ['EMULATOR_PORT', '65536', 'EMULATOR_PORT must be a whole number from 0 to 65535.'],
    ['NODE_ENV', 'staging', 'NODE_ENV must be development, production or test.'],
    ['LOG_LEVEL', 'INFO', 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.'],
    ['SANDBOX', 'yes', 'SANDBOX must be true or false.'],
    ['INTROSPECTION', '1', 'INTROSPECTION must be true or false.'],
    ['FEDERATION', 'on', 'FEDERATION must be true or false.'],
    ['METRICS_PORT', '65536', 'METRICS_PORT must be a whole number from 0 to 65535.'],
  ] as const)('name %s=%s in one sentence', ([name, value, problem]) => {
    expect(problems({ [name]: value })).toEqual([problem]);
  });

  it('are named one at a time, the first variable before the others', () => {
    expect(problems({ PORT: 'http', STUDY_API_TIMEOUT_MS: '10s', LOG_LEVEL: 'INFO' })).toEqual([
      'STUDY_API_TIMEOUT_MS must be a whole number from 1 to 600000.',
    ]);
  });

  it.for([{}, { STUDY_API_URL: '' }])('name STUDY_API_URL in production with %j', (missing) => {
    expect(problems({ NODE_ENV: 'production', ...missing })).toEqual([
      'STUDY_API_URL must be set in production: the emulator is for development.',
    ]);
  });

  it('name a rate limit that no mutation of five root fields could keep', () => {
    expect(problems({ RATE_LIMIT_MUTATION_FIELDS: '4' })).toEqual([
      'RATE_LIMIT_MUTATION_FIELDS must be 0, or at least 5: a mutation may have as many root fields.',
    ]);
  });

  it('name a METRICS_PORT that is PORT too, unless both are 0', () => {
    expect(problems({ METRICS_PORT: '4000' })).toEqual(['METRICS_PORT must differ from PORT.']);
    expect(problems({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  });

  it('name trusted documents together with FEDERATION, because a router writes its own documents', () => {
    expect(problems({ FEDERATION: 'true', TRUSTED_DOCUMENTS: 'manifest.json' })).toEqual([
      'TRUSTED_DOCUMENTS must not be set with FEDERATION=true: a router sends documents of its own.',
    ]);
  });

  it.for(['1.5', '1e3', '0x50', ' 80', '+80', '٨٠', '999999999999999999999', 'NaN'])(
    'include the port %j',
    (PORT) => {
      expect(problems({ PORT })).toEqual(['PORT must be a whole number from 0 to 65535.']);
    },
  );

  it.for(['0', '600001'])('include a deadline of %s ms', (STUDY_API_TIMEOUT_MS) => {
    expect(problems({ STUDY_API_TIMEOUT_MS })).toEqual([
      'STUDY_API_TIMEOUT_MS must be a whole number from 1 to 600000.',
    ]);
  });
});

describe('URLs', () => {
  it.for([
    ['STUDY_API_URL', 'http://127.0.0.1:4010'],
    ['STUDY_API_URL', 'https://api.example.com/api/v1/'],
    ['STUDY_API_URL', 'http://[::1]:4010/a%20b'],
    ['REDIS_URL', 'redis://127.0.0.1'],
    ['REDIS_URL', 'redis://:p%40ss@[::1]:6379/'],
    ['REDIS_URL', 'rediss://user:pass@redis:6380/15'],
  ] as const)('%s may be %s', ([name, url]) => {
    expect(problems({ [name]: url })).toEqual([]);
  });

  const expected = {
    STUDY_API_URL: 'an http or https URL without a user, a query or a fragment',
    REDIS_URL:
      'a URL such as redis://user:password@host:6379/0, with user and password percent-encoded',
    HTTP_PROXY: 'an http or https URL, with user and password percent-encoded',
    HTTPS_PROXY: 'an http or https URL, with user and password percent-encoded',
  };
  it.for([
    ['STUDY_API_URL', 'ftp://api.example.com'],
    ['STUDY_API_URL', '/api/v1'],
    ['STUDY_API_URL', 'http://'],
    ['STUDY_API_URL', 'https://user@api.example.com'],
    ['STUDY_API_URL', 'https://:secret@api.example.com'],
    ['STUDY_API_URL', 'https://api.example.com/?key=secret'],
    ['STUDY_API_URL', 'https://api.example.com/#secret'],
    ['REDIS_URL', 'http://:secret@redis.example.com'],
    ['REDIS_URL', 'rediss://redis?ca=/secret.pem'],
    ['REDIS_URL', 'redis://:secret@redis.example.com/secret'],
    ['REDIS_URL', 'redis:///1'],
    ['REDIS_URL', 'redis://us%er:secret@redis'],
    ['REDIS_URL', 'redis://a%c3:%a9@redis'],
    ['HTTP_PROXY', 'proxy.example:3128'],
    ['HTTP_PROXY', 'socks5://proxy.example'],
    ['HTTPS_PROXY', 'http://user:p%zz@proxy.example'],
  ] as const)('%s may not be %s, and no problem repeats a secret', ([name, url]) => {
    expect(problems({ [name]: url })).toEqual([`${name} must be ${expected[name]}.`]);
  });
});

describe('CORS_ORIGINS', () => {
  it.for([
    '*',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com,',
    'null',
    'ftp://app.example.com',
    'https://*',
    'http://*.example',
    'https://*.*.example.com',
    'https://app.*.example.com',
    'https://a*.example.com',
    'https://*.example.com:*',
    'https://*.example.com+',
    'https://*.example.com(x)',
    'https://*.example.co$',
    'https://app+.example.com',
  ])('may not be %s', (CORS_ORIGINS) => {
    expect(problems({ CORS_ORIGINS })).toEqual([
      'CORS_ORIGINS must be origins such as https://app.example.com or https://*.preview.example.com, separated by commas.',
    ]);
  });
});

describe('NO_PROXY', () => {
  const HTTP_PROXY = 'http://proxy.example:3128';

  it.for(['*', 'a.example, .svc *.b.example:8443', '10.0.0.1:80,::1,[fd00::2]:443', ','])(
    'may be %s',
    (NO_PROXY) => {
      expect(problems({ HTTP_PROXY, NO_PROXY })).toEqual([]);
    },
  );

  it.for([
    '127.0.0.0/8',
    'a.example,10.1',
    'fd00::/8',
    '0:0:0:0:0:0:0:2',
    'http://a.example',
    '*a.example',
    'a.*.example',
    'bücher.example',
  ])('may not be %s, which no host would match', (NO_PROXY) => {
    expect(problems({ HTTP_PROXY, NO_PROXY })).toEqual([
      'NO_PROXY must be *, or hosts such as a.example, .svc or [fd00::2]:443, separated by commas or spaces: no ranges such as 10.0.0.0/8.',
    ]);
    expect(problems({ NO_PROXY })).toEqual([]);
  });
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

  it.for([
    'https://issuer.example.com/keys',
    'http://localhost:8080/keys',
    'http://127.0.0.1/keys',
    'http://[::1]/keys',
  ])('may be %s in production', (JWT_JWKS_URL) => {
    expect(problems({ ...jwt, JWT_JWKS_URL })).toEqual([]);
  });

  it.for([
    'http://issuer.example.com/keys',
    'http://127.0.0.1.example.com/keys',
    'http://10.0.0.1/keys',
  ])('may not be %s in production, and may be outside of it', (JWT_JWKS_URL) => {
    expect(problems({ ...jwt, JWT_JWKS_URL })).toEqual([
      'JWT_JWKS_URL must be https in production, except on this machine: whoever can change the keys on the way can impersonate every caller.',
    ]);
    expect(problems({ ...jwt, NODE_ENV: 'development', JWT_JWKS_URL })).toEqual([]);
  });
});
