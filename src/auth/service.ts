import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { Refusal } from '../errors/refusal.js';
import { ConfigError, type Config } from '../config/config.js';
import { refused } from './bearer.js';
import { createIdentity, type Auth, type Caller, type Identity } from './caller.js';
import type { FetchKeys } from './issuer-keys.js';
import { createJwtVerifier, type JwtVerifier } from './jwt.js';
import { watchServiceToken, type ServiceToken } from './service-token.js';

/** The part `auth` of the configuration, and what `gateway.ts` adds. */
export type AuthOptions = Config['auth'] & {
  /** Token of the emulator; used when neither `studyApiToken` nor `studyApiTokenFile` is set. */
  readonly demoToken?: string | undefined;
  /** True if identities need the claims of JWTs. They take memory, for up to 10,000 tokens. */
  readonly keepsClaims?: boolean;
  /** Fetches the keys of the issuer. Default: `fetch`. */
  readonly fetchKeys?: FetchKeys | undefined;
  readonly logger: Logger;
};

type Verify = (readToken: () => string) => Identity | Promise<Identity>;

/**
 * Creates the authentication of the mode `service`: callers authenticate by JWT or API key, and the Study API gets the
 * gateway's own token.
 *
 * @throws ConfigError when no token for the Study API is set or readable
 */
export async function createServiceAuth(options: AuthOptions): Promise<Auth> {
  const jwt = createJwt(options);
  const verify = createVerify(options, jwt);
  const serviceToken = await createServiceToken(options);

  return {
    toCaller: (readToken) => new ServiceCaller(() => verify(readToken), serviceToken),
    hasIssuerKeys: jwt?.hasKeys,
    close() {
      jwt?.close();
      serviceToken.close();
    },
  };
}

class ServiceCaller implements Caller {
  /** Cached, so that the token is verified once for all fields of an operation. */
  #identity: Identity | Promise<Identity> | undefined;
  #proved: Identity | undefined;

  constructor(
    private readonly verify: () => Identity | Promise<Identity>,
    private readonly serviceToken: ServiceToken,
  ) {}

  token(isWrite: boolean): string | Promise<string> {
    return this.#withIdentity(({ mayWrite }) => {
      if (isWrite && !mayWrite) throw new Refusal('FORBIDDEN', 'The token may read only.');
      return this.serviceToken.current;
    });
  }

  callerId(): string | Promise<string> {
    return this.#withIdentity(({ callerId }) => callerId);
  }

  identity(): Identity | Promise<Identity> {
    return this.#withIdentity((identity) => identity);
  }

  logId(): string | undefined {
    return this.#proved?.logId;
  }

  /** Calls `use` at once if the identity is known, as for API keys: a promise would cost every such operation. */
  #withIdentity<Result>(use: (identity: Identity) => Result): Result | Promise<Result> {
    const identity = (this.#identity ??= this.verify());
    if (!(identity instanceof Promise)) return use((this.#proved = identity));
    return identity.then((proved) => use((this.#proved = proved)));
  }
}

/** Returns `undefined` unless the URL of the keys, the issuer and the audience are all set. */
function createJwt(options: AuthOptions): JwtVerifier | undefined {
  const { jwtJwksUrl, jwtIssuer, jwtAudience, logger } = options;
  if (!jwtJwksUrl || jwtIssuer === undefined || jwtAudience === undefined) return undefined;
  return createJwtVerifier({ ...options, jwtJwksUrl, jwtIssuer, jwtAudience }, logger);
}

/** Returns the function that verifies a caller's token: an API key, or a JWT if an issuer is configured. */
function createVerify({ apiKeys }: AuthOptions, jwt: JwtVerifier | undefined): Verify {
  // Found by the hash of a key: the time of a lookup reveals nothing about a key.
  const owners = new Map(
    apiKeys.map(({ name, sha256, mayWrite }) => [sha256, createIdentity(`key:${name}`, mayWrite)]),
  );
  return (readToken) => {
    const token = readToken();
    const sha256 = hash('sha256', token);
    const identity = owners.get(sha256) ?? jwt?.verify(token, sha256);
    if (!identity) throw refused('The API key is not known.');
    return identity;
  };
}

/** A file takes precedence over `STUDY_API_TOKEN`. */
async function createServiceToken(options: AuthOptions): Promise<ServiceToken> {
  const { studyApiTokenFile, studyApiToken, demoToken, logger } = options;
  if (studyApiTokenFile !== undefined) return watchServiceToken(studyApiTokenFile, logger);
  const current = studyApiToken ?? demoToken;
  if (current === undefined) throw new ConfigError('STUDY_API_TOKEN is not set.');
  return { current, close: () => {} };
}
