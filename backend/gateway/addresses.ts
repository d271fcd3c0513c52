// IP addresses: which ones are this machine, which belong to one caller, which the operator listed, and under which ones
// other machines reach this server.
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** Null unless `text` is a complete address: ipaddr.js alone reads "127.1" and "0x7f000001" as addresses too. */
function parseAddress(text: string): Address | null {
  // A zone ("%eth0") means something on this machine only.
  const withoutZone = text.replace(/%.*$/, '');
  return isIP(withoutZone) === 0 ? null : ipaddr.process(withoutZone);
}

/** One spelling for each address: "::ffff:10.0.0.7" becomes "10.0.0.7". Returns anything else unchanged. */
export const normalizeAddress = (text: string): string => parseAddress(text)?.toString() ?? text;

export const isLoopback = (text: string): boolean => parseAddress(text)?.range() === 'loopback';

/** The key under which limits count a caller: an IPv4 address, or the /64 network that an IPv6 customer gets. */
export function callerOf(text: string): string {
  const address = parseAddress(text);
  if (address === null || !('parts' in address)) return text;
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

export type AddressSet = { readonly has: (address: string) => boolean };

export const NO_ADDRESSES: AddressSet = { has: () => false };

/** Parses a list such as "127.0.0.1, 10.0.0.0/8, fd00::/8". Null when an item is neither an address nor a network. */
export function parseAddressSet(text: string): AddressSet | null {
  const networks: (readonly [Address, number])[] = [];
  for (const item of text.split(',').flatMap((part) => part.trim() || [])) {
    const network = parseNetwork(item);
    if (network === null) return null;
    networks.push(network);
  }
  return {
    has: (one) => {
      const address = parseAddress(one);
      return networks.some(([base, bits]) => address?.kind() === base.kind() && address.match(base, bits));
    },
  };
}

function parseNetwork(text: string): readonly [Address, number] | null {
  const [base = ''] = text.split('/', 1);
  if (isIP(base) === 0) return null;
  const cidr = text.includes('/') ? text : `${normalizeAddress(text)}/${isIPv6(normalizeAddress(text)) ? 128 : 32}`;
  return ipaddr.isValidCIDR(cidr) ? ipaddr.parseCIDR(cidr) : null;
}

/** Interfaces of containers and virtual machines: no one looks for Weft there. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|cni|flannel|cali)/;

/** The addresses under which other machines reach a server that listens on `host`. */
export function networkAddresses(host: string): readonly string[] {
  if (isLoopback(host) || host === 'localhost') return [];
  if (host !== '0.0.0.0' && host !== '::') return [host];
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    VIRTUAL.test(name)
      ? []
      : addresses.flatMap(({ address, family, internal }) => {
          // A link-local address works with a zone only, or not at all.
          if (internal || parseAddress(address)?.range() === 'linkLocal') return [];
          return family === 'IPv4' || host === '::' ? [address] : [];
        }),
  );
}
