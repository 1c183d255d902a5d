import { errors, jwtVerify, type JWTPayload } from 'jose';
import { UnauthenticatedError } from './unauthenticated.error.js';
import { createKeyStore, type KeyStoreOptions } from './jwks.store.js';
import { KeysUnavailableError } from './keys-unavailable.error.js';
import type { Identity } from './identity.js';

export interface JwtOptions extends KeyStoreOptions {
  readonly jwtIssuer: string;
  readonly jwtAudience: string;
  readonly jwtAlgorithms: readonly string[];
  readonly jwtClockSkewSeconds: number;
  /** Scope that a write needs. Default: none, so every valid token may write. */
  readonly jwtWriteScope?: string | undefined;
}

export interface JwtVerifier {
  /**
   * Verifies a token, and returns the identity in its claims.
   *
   * @throws UnauthenticatedError when the token is not valid
   * @throws KeysUnavailableError when the issuer's keys cannot be fetched at the moment
   */
  verify(token: string): Promise<Identity>;
  close(): void;
}

/** Creates a verifier of JWTs, which uses the keys that the issuer publishes. */
export function createJwtVerifier(options: JwtOptions): JwtVerifier {
  const { jwtIssuer, jwtAudience, jwtAlgorithms, jwtClockSkewSeconds, jwtWriteScope } = options;
  const keys = createKeyStore(options);

  const verify = async (token: string): Promise<Identity> => {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer: jwtIssuer,
      audience: jwtAudience,
      algorithms: [...jwtAlgorithms],
      clockTolerance: jwtClockSkewSeconds,
      requiredClaims: ['exp', 'sub'],
    }).catch((error: unknown) => {
      throw error instanceof KeysUnavailableError ? error : toRefusal(error);
    });
    const { sub } = payload;
    // jose checks that `sub` is present, but not its type.
    if (typeof sub !== 'string' || sub === '') throw toClaimRefusal('sub');
    return {
      callerId: `jwt:${jwtIssuer}:${sub}`,
      mayWrite: jwtWriteScope === undefined || toScopes(payload).includes(jwtWriteScope),
    };
  };
  return { verify, close: () => keys.close() };
}

function toRefusal(error: unknown): UnauthenticatedError {
  if (error instanceof errors.JWTExpired) return new UnauthenticatedError('The token has expired.');
  if (!(error instanceof errors.JWTClaimValidationFailed))
    return new UnauthenticatedError('The token is not valid here.');
  if (error.claim === 'nbf' && error.reason === 'check_failed')
    return new UnauthenticatedError('The token is not valid yet.');
  return toClaimRefusal(error.claim);
}

/** @param claim name of the claim that failed; its value must not be in the message */
function toClaimRefusal(claim: string): UnauthenticatedError {
  return new UnauthenticatedError(`The token's "${claim}" is missing, or not what it has to be.`);
}

/**
 * Returns the scopes of a token. RFC 9068 puts a space-separated string into `scope`; some issuers use `scp` instead,
 * with a string (Entra ID) or a list (Okta).
 */
function toScopes({ scope, scp }: JWTPayload): readonly unknown[] {
  return [...toWords(scope), ...(Array.isArray(scp) ? scp : toWords(scp))];
}

function toWords(claim: unknown): string[] {
  return typeof claim === 'string' ? claim.split(' ') : [];
}
