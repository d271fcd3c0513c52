// The two secrets of a mail: a code of six digits, which people type together with their address, and the token of its link.
// The database stores hashes of both. The token is random: if it followed from address and code, a program could try a million
// tokens instead of codes, without naming the account whose tries are counted.
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Begins the token of a link that leads to a code for the client that asked for the mail (PKCE), not to a session. */
const PKCE_PREFIX = 'pkce_';
/** Bytes of a link's token. No one guesses 256 bits, so tries of links are not counted. */
const TOKEN_BYTES = 32;

export type OneTimeToken = { readonly code: string; readonly link: string };

export const makeToken = (isPkce: boolean): OneTimeToken => ({
  code: String(randomInt(1_000_000)).padStart(6, '0'),
  link: (isPkce ? PKCE_PREFIX : '') + randomBytes(TOKEN_BYTES).toString('base64url'),
});

/** The database stores only this hash of a link's token. */
export const hashOfLink = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The database stores only this hash of a code. */
export const hashOfCode = (email: string, code: string): string =>
  createHash('sha256')
    .update(`${email} ${code.replaceAll('-', '')}`)
    .digest('hex');

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_PREFIX);
