// The codes and links of mails. The database stores a hash of address and code; the link contains this hash, and people type
// the code.
import { createHash, randomInt } from 'node:crypto';

/** Begins the token of a link that leads to a code for the client that asked for the mail (PKCE), not to a session. */
const PKCE_PREFIX = 'pkce_';

export type OneTimeToken = { readonly code: string; readonly hash: string };

export function makeToken(email: string, isPkce: boolean): OneTimeToken {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, hash: (isPkce ? PKCE_PREFIX : '') + hashOf(email, code) };
}

export const hashOf = (email: string, code: string): string =>
  createHash('sha224').update(email).update(code).digest('hex');

/** The two forms in which the hash of a code may be stored. */
export const hashesOf = (email: string, code: string): readonly string[] => {
  const hash = hashOf(email, code.replaceAll('-', ''));
  return [hash, PKCE_PREFIX + hash];
};

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_PREFIX);

export const isExpired = (sentAt: string | null, seconds: number, now: number): boolean =>
  sentAt === null || Date.parse(sentAt) + seconds * 1000 < now;
