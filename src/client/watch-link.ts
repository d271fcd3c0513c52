// The address of a share link: `https://host/s#secret`. The secret stays here and in the calls to the database.
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import { sha256 } from '../lib/sha256.ts';
import { parseLinkSecret } from '../protocol/ids.ts';

/** `origin` is where the app is, such as `https://weft.example`. */
export type WatchLink = { readonly origin: string; readonly secret: LinkSecret };

/** Null for anything that is not the address of a share link. */
export function parseWatchLink(text: string): WatchLink | null {
  const address = text.trim();
  if (!URL.canParse(address)) return null;
  const { protocol, origin, pathname, hash } = new URL(address);
  const secret = parseLinkSecret(hash.slice(1));
  if (!/^https?:$/.test(protocol) || pathname !== '/s' || secret === null) return null;
  return { origin, secret };
}

/** Recognizes a link without containing it: its secret has 128 random bits, too many to guess from a hash. */
export const fingerprintOf = ({ origin, secret }: WatchLink): Promise<string> =>
  sha256(new TextEncoder().encode(`${origin}/s#${secret}`));
