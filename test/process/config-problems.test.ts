import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { problems } from '../support/config.js';

describe('problems', () => {
  it.for([
    ['STUDY_API_URL', 'api.example.com', 'STUDY_API_URL must be an http or https URL.'],
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
    ['JWT_JWKS_URL', 'keys.json', 'JWT_JWKS_URL must be an http or https URL.'],
    [
      'JWT_ALGORITHMS',
      'HS256',
      'JWT_ALGORITHMS must be of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519, separated by commas.',
    ],
    ['JWT_WRITE_SCOPE', 'a b', 'JWT_WRITE_SCOPE must be one scope.'],
    [
      'API_KEYS',
      'secret',
      'API_KEYS must be name:sha256 or name:sha256:read, separated by commas, each name and hash once.',
    ],
    ['REDIS_URL', 'http://:secret@redis.example.com', 'REDIS_URL must be a redis or rediss URL.'],
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

describe('STUDY_API_URL', () => {
  it.for([
    'http://127.0.0.1:4010',
    'https://api.example.com',
    'https://api.example.com/api/v1',
    'https://api.example.com/api/v1/',
    'http://[::1]:4010/a%20b',
  ])('may be %s', (STUDY_API_URL) => {
    expect(readConfig({ STUDY_API_URL }).rest.baseUrl).toEqual(new URL(STUDY_API_URL));
  });

  it.for(['ftp://api.example.com', 'file:///etc/passwd', '/api/v1', 'http://', 'javascript:1'])(
    'may not be %s',
    (STUDY_API_URL) => {
      expect(problems({ STUDY_API_URL })).toEqual(['STUDY_API_URL must be an http or https URL.']);
    },
  );

  it.for([
    'https://user@api.example.com',
    'https://:secret@api.example.com',
    'https://api.example.com/?key=secret',
    'https://api.example.com/#studies',
  ])('may not be %s', (STUDY_API_URL) => {
    expect(problems({ STUDY_API_URL })).toEqual([
      'STUDY_API_URL must be a URL without a user, a query or a fragment.',
    ]);
  });

  it('is never repeated in a problem, because the URL may contain a secret', () => {
    const told = problems({ STUDY_API_URL: 'https://user:secret@api.example.com', PORT: 'secret' });

    expect(told.join('\n')).not.toContain('secret');
  });
});

describe('REDIS_URL', () => {
  it.for(['redis://127.0.0.1', 'redis://:p%40ss@[::1]:6379/', 'rediss://user:pass@redis:6380/15'])(
    'may be %s',
    (REDIS_URL) => {
      expect(readConfig({ REDIS_URL }).shared.redisUrl).toEqual(new URL(REDIS_URL));
    },
  );

  it('may not have a query', () => {
    expect(problems({ REDIS_URL: 'rediss://redis?ca=/ca.pem' })).toEqual([
      'REDIS_URL must be a URL without a query.',
    ]);
  });

  it('may not have a path that is not a number', () => {
    expect(problems({ REDIS_URL: 'redis://:secret@redis.example.com/secret' })).toEqual([
      'REDIS_URL must be a URL whose path is a database number.',
    ]);
  });

  it.for(['redis:', 'redis:///1', 'rediss:6379'])('may not be %s, without a host', (REDIS_URL) => {
    expect(problems({ REDIS_URL })).toEqual(['REDIS_URL must be a URL with a host.']);
  });

  it.for(['redis://:se%cret@redis', 'redis://us%er:secret@redis', 'redis://a%c3:%a9@redis'])(
    'may not be %s, whose user or password cannot be decoded',
    (REDIS_URL) => {
      expect(problems({ REDIS_URL })).toEqual([
        'REDIS_URL must be a URL whose user and password are percent-encoded UTF-8: a % in them is %25.',
      ]);
    },
  );
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

describe('HTTP_PROXY and HTTPS_PROXY', () => {
  const expected = 'an http or https URL whose user and password are percent-encoded UTF-8';

  it.for([
    'proxy.example:3128',
    'socks5://proxy.example',
    'http://user:p%zz@proxy.example',
    'https://u%:41@proxy.example',
  ])('may not be %s', (proxy) => {
    expect(problems({ HTTP_PROXY: proxy, https_proxy: proxy })).toEqual([
      `HTTP_PROXY must be ${expected}.`,
    ]);
    expect(problems({ https_proxy: proxy })).toEqual([`HTTPS_PROXY must be ${expected}.`]);
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
