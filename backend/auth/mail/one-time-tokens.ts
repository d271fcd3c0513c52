// The two secrets of a mail: a code of six digits, which people type together with their email address, and the token in its
// link. The database stores only their hashes. The token is not derived from address and code: if it were, a program could try
// the tokens of all million codes, and they would not count as tries of that address.
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** The start of a token whose link brings a code for the client that requested the mail (PKCE) instead of a session. */
const PKCE_PREFIX = 'pkce_';
/** No one guesses 256 random bits, so wrong links are not counted as wrong codes are. */
const TOKEN_BYTES = 32;

/** `link` is the token in the link, not the link's address. */
export type OneTimeToken = { readonly code: string; readonly link: string };

export const makeToken = (isPkce: boolean): OneTimeToken => ({
  code: String(randomInt(1_000_000)).padStart(6, '0'),
  link: (isPkce ? PKCE_PREFIX : '') + randomBytes(TOKEN_BYTES).toString('base64url'),
});

export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');

/** With the address, so that equal codes of two people have different hashes. A code may be typed as "123-456". */
export const hashOfCode = (email: string, code: string): string =>
  createHash('sha256')
    .update(`${email} ${code.replaceAll('-', '')}`)
    .digest('hex');

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_PREFIX);
