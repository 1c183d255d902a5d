import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { UnauthenticatedError } from '../graphql/errors.js';
import type { AuthLogger } from './auth.js';
import { KeysUnavailableError } from './keys-unavailable.error.js';
import type { Standing } from './standing.js';

export interface JwtOptions {
  readonly jwtJwksUrl: URL;
  readonly jwtIssuer: string;
  readonly jwtAudience: string;
  readonly jwtAlgorithms: readonly string[];
  readonly jwtClockSkewSeconds: number;
  /** Without it every token may write. */
  readonly jwtWriteScope?: string | undefined;
  readonly logger: AuthLogger;
}

/** For the issuer to give its keys. */
const FETCH_MS = 3_000;
/** Keys are fetched again for one that is not known, at most so often. */
const COOLDOWN_MS = 5_000;
/** And all the same after so long, so that a key which the issuer has withdrawn is not taken for ever. */
const MAX_AGE_MS = 600_000;

/** Verifies JWTs with the keys that their issuer publishes. They are fetched when the first token comes. */
export function createJwtVerifier(options: JwtOptions): (token: string) => Promise<Standing> {
  const { jwtIssuer, jwtAudience, jwtAlgorithms, jwtClockSkewSeconds, jwtWriteScope } = options;
  const getKey = createGetKey(options);

  return async (token) => {
    const { payload } = await jwtVerify(token, getKey, {
      issuer: jwtIssuer,
      audience: jwtAudience,
      algorithms: [...jwtAlgorithms],
      clockTolerance: jwtClockSkewSeconds,
      requiredClaims: ['exp', 'sub'],
    }).catch((error: unknown) => {
      throw error instanceof KeysUnavailableError ? error : toRefusal(error);
    });
    const { sub } = payload;
    // jose looks no closer than whether there is one.
    if (typeof sub !== 'string' || sub === '') throw toClaimRefusal('sub');
    return {
      callerId: `jwt:${jwtIssuer}:${sub}`,
      mayWrite: jwtWriteScope === undefined || toScopes(payload).includes(jwtWriteScope),
    };
  };
}

function createGetKey({ jwtJwksUrl, logger }: JwtOptions): JWTVerifyGetKey {
  const getRemoteKey = createRemoteJWKSet(jwtJwksUrl, {
    timeoutDuration: FETCH_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
  });
  return async (header, token) => {
    try {
      return await getRemoteKey(header, token);
    } catch (error) {
      if (isOfToken(error)) throw error;
      logger.warn({ err: error }, 'the keys that tokens are verified with cannot be fetched');
      throw new KeysUnavailableError();
    }
  };
}

/** The keys are there, and the token names none of them. */
function isOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

function toRefusal(error: unknown): UnauthenticatedError {
  if (error instanceof errors.JWTExpired) return new UnauthenticatedError('The token has expired.');
  if (!(error instanceof errors.JWTClaimValidationFailed))
    return new UnauthenticatedError('The token is not valid here.');
  if (error.claim === 'nbf' && error.reason === 'check_failed')
    return new UnauthenticatedError('The token is not valid yet.');
  return toClaimRefusal(error.claim);
}

/** @param claim the name of one that we check, never what the token says */
function toClaimRefusal(claim: string): UnauthenticatedError {
  return new UnauthenticatedError(`The token's "${claim}" is missing, or not what it has to be.`);
}

/** RFC 9068 has a string of `scope`; some issuers have a list of `scp` in its place. */
function toScopes({ scope, scp }: JWTPayload): readonly unknown[] {
  const scopes: unknown[] = typeof scope === 'string' ? scope.split(' ') : [];
  return Array.isArray(scp) ? [...scopes, ...scp] : scopes;
}
