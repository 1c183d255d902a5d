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
  /** File with the token, read instead of `studyApiToken`. */
  readonly studyApiTokenFile?: string | undefined;
  /** Token of the emulator, used without `studyApiToken` and `studyApiTokenFile`. */
  readonly demoToken?: string | undefined;
  /** JWTs prove an identity when URL, issuer and audience are all given. */
  readonly jwtJwksUrl?: URL | undefined;
  readonly jwtIssuer?: string | undefined;
  readonly jwtAudience?: string | undefined;
  readonly apiKeys: readonly ApiKey[];
}

/** Id of every caller where no proof of identity is asked for. */
const ANONYMOUS = 'anonymous';

type Verify = (readToken: () => string) => Promise<Identity>;

const admitEverybody: Verify = async () => ({ callerId: ANONYMOUS, mayWrite: true });

/**
 * Calls the Study API with the gateway's own token, for callers who prove their identity.
 *
 * @throws ConfigError when the gateway has no token
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
      // Verifies once for all fields of an operation.
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

/** `undefined` where JWTs prove no identity. */
function createJwt(options: ServiceAuthOptions): JwtVerifier | undefined {
  const { jwtJwksUrl, jwtIssuer, jwtAudience } = options;
  if (!jwtJwksUrl || jwtIssuer === undefined || jwtAudience === undefined) return undefined;
  return createJwtVerifier({ ...options, jwtJwksUrl, jwtIssuer, jwtAudience });
}

/** Without JWTs and API keys all are one caller; `readConfig` then makes sure that only this machine can call. */
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
