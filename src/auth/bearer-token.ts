/** Longest bearer token: 8 KiB. */
export const MAX_TOKEN_LENGTH = 8192;

/** Characters of a token in RFC 6750 §2.1; any number of `=` may follow. */
const CHARACTERS = String.raw`[A-Za-z0-9\-._~+/]`;

/** A token of the gateway's own. */
export const TOKEN_PATTERN = new RegExp(`^${CHARACTERS}{1,${MAX_TOKEN_LENGTH}}=*$`);

/** `credentials` of RFC 6750 §2.1, with the token as first group; any letter case of the scheme (RFC 9110 §11.1). */
export const CREDENTIALS_PATTERN = new RegExp(`^bearer +(${CHARACTERS}+=*)$`, 'i');
