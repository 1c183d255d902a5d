const MAX_LENGTH = 40;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** At most one group of digits, with at most three: an IBAN, a phone number and most tokens have more. */
const FEW_DIGITS = /^\D*\d{0,3}\D*$/;
/** Words in camel case, with acronyms of at most six letters. Tokens of random letters rarely consist of such words. */
const WORDS = /^(?:[a-z]{1,20})?(?:[A-Z][a-z]{1,19}|(?<![A-Z])[A-Z]{2,6}(?![a-z]))*[A-Z]?$/;

/**
 * Returns true for a name that developers give to a field, such as `projectId`, `created_at` or `summaryV2`. Returns false
 * for a name that may be a secret or a value, such as an e-mail address, an IBAN, a UUID or a token. A secret that
 * consists of ordinary words cannot be told from a name.
 */
export function isPlainName(name: string): boolean {
  return (
    name.length <= MAX_LENGTH &&
    IDENTIFIER.test(name) &&
    FEW_DIGITS.test(name) &&
    name.split(/[_\d]+/).every((words) => WORDS.test(words))
  );
}
