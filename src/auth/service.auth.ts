import { ConfigError } from '../config/config.js';
import { UnauthenticatedError } from './unauthenticated.error.js';
import type { Caller } from '../study/study.api.js';
import { createApiKeys, type ApiKey } from './api-keys.js';
import type { Auth } from './auth.js';
import { ForbiddenError } from './forbidden.error.js';
import { createJwtVerifier, type JwtOptions, type JwtVerifier } from './jwt.verifier.js';
import { watchServiceToken, type ServiceToken } from './service-token.js';
import { toLogId } from './log-id.js';
import type { Identity } from './identity.js';

export interface ServiceAuthOptions extends Omit<
  JwtOptions,
  'jwtJwksUrl' | 'jwtIssuer' | 'jwtAudience'
> {
  readonly studyApiToken?: string | undefined;
  /** Path of a file with the token; takes precedence over `studyApiToken`. */
  readonly studyApiTokenFile?: string | undefined;
  /** Token of the emulator; used when neither `studyApiToken` nor `studyApiTokenFile` is set. */
  readonly demoToken?: string | undefined;
  /** URL of the issuer's keys. JWTs are accepted only if URL, issuer and audience are all set. */
  readonly jwtJwksUrl?: URL | undefined;
  readonly jwtIssuer?: string | undefined;
  readonly jwtAudience?: string | undefined;
  readonly apiKeys: readonly ApiKey[];
}

/** Id of every caller when neither JWTs nor API keys are configured. */
const ANONYMOUS = 'anonymous';

type Verify = (readToken: () => string) => Promise<Identity>;

const admitEverybody: Verify = async () => ({ callerId: ANONYMOUS, mayWrite: true });

/**
 * Creates the authentication of the mode `service`: callers authenticate by JWT or API key, and the Study API gets the
 * gateway's own token.
 *
 * @throws ConfigError when no token for the Study API is set or readable
 */
export async function createServiceAuth(options: ServiceAuthOptions): Promise<Auth> {
  const jwt = createJwt(options);
  const verify = createVerify(options.apiKeys, jwt);
  const serviceToken = await createServiceToken(options);

  return {
    isOpen: verify === admitEverybody,
    toCaller(requestId, readToken): Caller {
      let identity: Promise<Identity> | undefined;
      let proved: Identity | undefined;
      // Verifies the token once, for all fields of an operation.
      const getIdentity = (): Promise<Identity> =>
        (identity ??= verify(readToken).then((found) => (proved = found)));
      return {
        requestId,
        async token(isWrite) {
          const { mayWrite } = await getIdentity();
          if (isWrite && !mayWrite) throw new ForbiddenError('The token may read only.');
          return serviceToken.current;
        },
        callerId: async () => (await getIdentity()).callerId,
        logId: () =>
          proved && proved.callerId !== ANONYMOUS ? toLogId(proved.callerId) : undefined,
      };
    },
    close() {
      jwt?.close();
      serviceToken.close();
    },
  };
}

/** Returns `undefined` when JWTs are not configured. */
function createJwt(options: ServiceAuthOptions): JwtVerifier | undefined {
  const { jwtJwksUrl, jwtIssuer, jwtAudience } = options;
  if (!jwtJwksUrl || jwtIssuer === undefined || jwtAudience === undefined) return undefined;
  return createJwtVerifier({ ...options, jwtJwksUrl, jwtIssuer, jwtAudience });
}

/**
 * Returns the function that verifies a caller's token. Without JWTs and API keys everybody is the same anonymous
 * caller; `readConfig` then allows only a loopback `HOST` outside production.
 */
function createVerify(apiKeys: readonly ApiKey[], jwt: JwtVerifier | undefined): Verify {
  const findKey = createApiKeys(apiKeys);
  if (!jwt && apiKeys.length === 0) return admitEverybody;

  return async (readToken) => {
    const token = readToken();
    const identity = findKey(token) ?? (await jwt?.verify(token));
    if (!identity) throw new UnauthenticatedError('The API key is not known.');
    return identity;
  };
}

async function createServiceToken(options: ServiceAuthOptions): Promise<ServiceToken> {
  const { studyApiTokenFile, studyApiToken, demoToken, logger } = options;
  if (studyApiTokenFile !== undefined)
    return watchServiceToken(studyApiTokenFile, logger).catch((error: unknown) => {
      throw new ConfigError(
        'STUDY_API_TOKEN_FILE: the file cannot be read, or holds no bearer token.',
        { cause: error },
      );
    });
  const current = studyApiToken ?? demoToken;
  if (current === undefined) throw new ConfigError('STUDY_API_TOKEN is not set.');
  return { current, close: () => {} };
}
