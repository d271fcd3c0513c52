// The host names under which this server answers: only names that no outsider can point at it. If an attacker points a name
// of theirs at 127.0.0.1 (DNS rebinding), a browser takes the attacker's page and this server for one origin.
import { isIP } from 'node:net';
import { isLoopback } from './addresses.ts';

export type KnownHosts = {
  /** Takes a name without a port, as `hostOf` returns it. */
  readonly has: (name: string) => boolean;
};

/** Names that cannot exist in public DNS: without a dot, or with a suffix reserved for local use. */
const LOCAL_NAME = /^(?:[^.]+|.+\.(?:local|lan|internal|home\.arpa|localhost|test))$/;

/** `isOpen` means that other machines can reach the server; `allowed` are the names that the operator added. */
export function knownHosts(isOpen: boolean, allowed: readonly string[]): KnownHosts {
  const named = new Set(allowed.map((name) => name.toLowerCase()));
  return {
    has(name) {
      if (name === 'localhost' || name.endsWith('.localhost') || isLoopback(name) || named.has(name)) return true;
      // An IP address cannot be pointed elsewhere.
      return isOpen && (isIP(name) !== 0 || LOCAL_NAME.test(name));
    },
  };
}

const HOST = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;

/** The name in a Host header, in lower case, without port, brackets and final dot. Null when it is malformed. */
export function hostOf(text: string): string | null {
  const groups = HOST.exec(text)?.groups;
  if (groups === undefined || Number(groups['port'] ?? 0) > 65_535) return null;
  const { v6, name = '' } = groups;
  if (v6 !== undefined) return isIP(v6) === 6 ? v6.toLowerCase() : null;
  return name.toLowerCase().replace(/\.$/, '') || null;
}

/**
 * The name in an `Origin` header. Null if it is no web address, such as "null", which a local file or a sandboxed frame
 * sends.
 */
export function hostOfOrigin(origin: string): string | null {
  const url = URL.parse(origin);
  return url === null || !/^https?:$/.test(url.protocol) ? null : hostOf(url.host);
}
