// Under which names this server answers. A page on a name that its owner points at 127.0.0.1 (DNS rebinding) would be of
// our origin as far as a browser can tell: so a name has to be one that no stranger can point anywhere.
import { isIP } from 'node:net';
import { isLoopback } from './addresses.ts';

export type KnownHosts = {
  /** Of a name without a port, as `hostOf` gives it. */
  readonly has: (name: string) => boolean;
};

/** Names that the public DNS cannot hold: without a dot, or below a suffix that is reserved for local use. */
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|lan|internal|home\.arpa|localhost|test))$/;

/** `isOpen`: other machines can reach it. `allowed`: names the operator gave. */
export function knownHosts(isOpen: boolean, allowed: readonly string[]): KnownHosts {
  const named = new Set(allowed.map((name) => name.toLowerCase()));
  return {
    has(name) {
      if (name === 'localhost' || name.endsWith('.localhost') || isLoopback(name) || named.has(name)) return true;
      // Nobody can point an address somewhere else.
      return isOpen && (isIP(name) !== 0 || LOCAL_NAME.test(name));
    },
  };
}

const HOST = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;

/** The name in a Host header or an authority, in lower case, without port, brackets or the last dot. Null: not one. */
export function hostOf(text: string): string | null {
  const groups = HOST.exec(text)?.groups;
  if (groups === undefined || Number(groups['port'] ?? 0) > 65_535) return null;
  const { v6, name = '' } = groups;
  if (v6 !== undefined) return isIP(v6) === 6 ? v6.toLowerCase() : null;
  return name.toLowerCase().replace(/\.$/, '') || null;
}

/** The same of an `Origin` header. Null where a page has none to show ("null": a file, a sandbox). */
export function hostOfOrigin(origin: string): string | null {
  const url = URL.parse(origin);
  return url === null || !/^https?:$/.test(url.protocol) ? null : hostOf(url.host);
}
