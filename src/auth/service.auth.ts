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
  /** Is read in its place. */
  readonly studyApiTokenFile?: string | undefined;
  /** Of the emulator, where neither is given. */
  readonly demoToken?: string | undefined;
  /** With these three, JWTs give standing. */
  readonly jwtJwksUrl?: URL | undefined;
  readonly jwtIssuer?: string | undefined;
  readonly jwtAudience?: string | undefined;
  readonly apiKeys: readonly ApiKey[];
}

/** Everybody, where nobody has to prove anything. */
const ANONYMOUS = 'anonymous';

type Verify = (readToken: () => string) => Promise<Identity>;

const admitEverybody: Verify = async () => ({ callerId: ANONYMOUS, mayWrite: true });

/**
 * The Study API is called with a token of the gateway's own, for callers who prove who they are.
 *
 * @throws ConfigError when that token cannot be had
 */
export async function createServiceAuth(options: ServiceAuthOptions): Promise<Auth> {
  const jwt = createJwt(options);
  const verify = createVerify(options.apiKeys, jwt);
  const serviceToken = await createServiceToken(options);

  return {
    isOpen: verify === admitEverybody,
    toCaller(requestId, readToken): Caller {
      let standing: Promise<Identity> | undefined;
      let proved: Identity | undefined;
      // Once for all fields of an operation.
      const getIdentity = (): Promise<Identity> =>
        (standing ??= verify(readToken).then((found) => (proved = found)));
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

/** `undefined` where JWTs give no standing. */
function createJwt(options: ServiceAuthOptions): JwtVerifier | undefined {
  const { jwtJwksUrl, jwtIssuer, jwtAudience } = options;
  if (!jwtJwksUrl || jwtIssuer === undefined || jwtAudience === undefined) return undefined;
  return createJwtVerifier({ ...options, jwtJwksUrl, jwtIssuer, jwtAudience });
}

/** Without JWTs and keys everybody is one caller: `readConfig` sees to it that nobody else is near. */
function createVerify(apiKeys: readonly ApiKey[], jwt: JwtVerifier | undefined): Verify {
  const findKey = createApiKeys(apiKeys);
  if (!jwt && apiKeys.length === 0) return admitEverybody;

  return async (readToken) => {
    const token = readToken();
    const standing = findKey(token) ?? (await jwt?.verify(token));
    if (!standing) throw new UnauthenticatedError('The API key is not known.');
    return standing;
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
