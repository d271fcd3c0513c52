// Codes and links of mails. What is kept is a hash of address and code; the link carries that hash, the person types the code.
import { createHash, randomInt } from 'node:crypto';

/** In front of the token of a link whose answer is a code for the client that asked (PKCE), not a session. */
const PKCE_PREFIX = 'pkce_';

export type OneTimeToken = { readonly code: string; readonly hash: string };

export function makeToken(email: string, isPkce: boolean): OneTimeToken {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, hash: (isPkce ? PKCE_PREFIX : '') + hashOf(email, code) };
}

export const hashOf = (email: string, code: string): string =>
  createHash('sha224').update(email).update(code).digest('hex');

/** The two forms in which the hash of a code may be kept. */
export const hashesOf = (email: string, code: string): readonly string[] => {
  const hash = hashOf(email, code.replaceAll('-', ''));
  return [hash, PKCE_PREFIX + hash];
};

export const isPkceToken = (token: string): boolean => token.startsWith(PKCE_PREFIX);

export const isExpired = (sentAt: string | null, seconds: number, now: number): boolean =>
  sentAt === null || Date.parse(sentAt) + seconds * 1000 < now;
