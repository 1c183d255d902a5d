/** Maximum length of a bearer token, in bytes. */
export const MAX_TOKEN_LENGTH = 8192;

/** Characters of a bearer token (RFC 6750 §2.1), which may be followed by any number of `=`. */
const CHARACTERS = String.raw`[A-Za-z0-9\-._~+/]`;

/** Matches a bearer token for the Study API, as an operator configures it. */
export const TOKEN_PATTERN = new RegExp(`^${CHARACTERS}{1,${MAX_TOKEN_LENGTH}}=*$`);

/** Matches the value of an Authorization header with a bearer token, which is group 1. Ignores the case of `Bearer`. */
export const CREDENTIALS_PATTERN = new RegExp(`^bearer +(${CHARACTERS}+=*)$`, 'i');
