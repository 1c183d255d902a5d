import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { Refusal } from '../errors/refusal.js';
import { refused, type CallerIdentity } from './caller.js';
import { createIssuerKeys, type FetchKeys } from './issuer-keys.js';

/** The part `auth` of the configuration, and what `gateway.ts` adds. */
export type JwtOptions = Config['auth'] & {
  /** True if identities need the claims of JWTs. They take memory, for up to 10,000 tokens. */
  readonly keepsClaims?: boolean;
  /** Fetches the keys of the issuer. Default: `fetch`. */
  readonly fetchKeys?: FetchKeys | undefined;
  readonly logger: Logger;
};

/** Difference between the clocks of issuer and gateway that is allowed. Clocks synchronized by NTP differ by less. */
const CLOCK_SKEW_SECONDS = 60;

/** Asymmetric algorithms only: with a symmetric one, whoever can verify a token can also forge one. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** Maximum number of verified tokens; the least recently used one is evicted first. */
const MAX_TOKENS = 10_000;
/** Time for which a token is accepted without verifying its signature again, unless it expires sooner. */
const MAX_AGE_MS = 60_000;

/** Returns `undefined` unless the URL of the keys, the issuer and the audience are all set. */
export function createJwtVerifier(options: JwtOptions) {
  const { jwtJwksUrl, jwtIssuer, jwtAudience, jwtWriteScope, logger } = options;
  if (!jwtJwksUrl || jwtIssuer === undefined || jwtAudience === undefined) return undefined;
  /** Identities by the SHA-256 of the token; `validUntil` is a time by `performance.now()`, in ms. */
  const verified = new LRUCache<string, { identity: CallerIdentity; validUntil: number }>({
    max: MAX_TOKENS,
  });
  const keys = createIssuerKeys(jwtJwksUrl, logger, options.fetchKeys);

  const verify = async (token: string, sha256: string): Promise<CallerIdentity> => {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer: jwtIssuer,
      audience: jwtAudience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp', 'sub'],
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? error : toRefusal(error);
    });
    const { sub, exp = 0 } = payload;
    // jose checks that `sub` is present, but not its type.
    if (typeof sub !== 'string' || sub === '') throw refused(toClaimMessage('sub'));
    const mayWrite = jwtWriteScope === undefined || toScopes(payload).includes(jwtWriteScope);
    const claims = options.keepsClaims ? payload : {};
    const identity = { callerId: `jwt:${jwtIssuer}:${sub}`, mayWrite, claims };
    const leftMs = (exp + CLOCK_SKEW_SECONDS) * 1_000 - Date.now();
    const validUntil = performance.now() + Math.min(leftMs, MAX_AGE_MS);
    verified.set(sha256, { identity, validUntil });
    return identity;
  };
  return {
    /**
     * Verifies a token, and returns the identity in its claims: at once for a token verified within the last minute.
     *
     * @param sha256 hash of the token, in hex
     * @throws Refusal `UNAUTHENTICATED` when the token is not valid
     * @throws Refusal `UPSTREAM_UNAVAILABLE` when the issuer's keys cannot be fetched at the moment
     */
    verify(token: string, sha256: string): CallerIdentity | Promise<CallerIdentity> {
      const known = verified.get(sha256);
      return known && performance.now() < known.validUntil ? known.identity : verify(token, sha256);
    },
    hasKeys: keys.haveArrived,
    close: () => keys.close(),
  };
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof errors.JWTExpired) return refused('The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) return refused(toClaimMessage(error.claim));
  // The log alone has jose's code: a stranger does not learn whether the key or the signature is wrong.
  const reason = error instanceof errors.JOSEError ? error.code : undefined;
  return refused('The token is not valid here.', reason);
}

/** @param claim name of the claim that failed; its value must not be in the message */
function toClaimMessage(claim: string): string {
  return `The token's "${claim}" is missing, or has an unexpected value.`;
}

/**
 * Returns the scopes of a token. RFC 9068 puts a space-separated string into `scope`; some issuers use `scp` instead,
 * with a string (Entra ID) or a list (Okta).
 */
function toScopes({ scope, scp }: JWTPayload): readonly unknown[] {
  const toWords = (claim: unknown) => (typeof claim === 'string' ? claim.split(' ') : []);
  return [...toWords(scope), ...(Array.isArray(scp) ? scp : toWords(scp))];
}
