// Addresses of machines: which are this one, which belong together, which the operator named, and how others on the
// network reach us.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** As a socket tells it, in one form: "::ffff:10.0.0.7" is 10.0.0.7, a zone ("%eth0") says nothing to others. */
export function plainAddress(address: string): string {
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  return mapped?.[1] ?? plain;
}

export const isLoopback = (address: string): boolean => /^127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';

/** Who counts as one caller: an IPv4 address, or the /64 that a single IPv6 customer is given. */
export function callerOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [left = '', right] = address.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

export type AddressSet = { readonly has: (address: string) => boolean; readonly isEmpty: boolean };

/** "127.0.0.1, 10.0.0.0/8, fd00::/8". Null when something in it is no address. */
export function parseAddressSet(text: string): AddressSet | null {
  const list = new BlockList();
  const parts = text.split(',').flatMap((part) => part.trim() || []);
  for (const part of parts) {
    const [address = '', bits, ...more] = part.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || more.length > 0) return null;
    if (bits === undefined) {
      list.addAddress(address, family);
      continue;
    }
    if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 'ipv6' ? 128 : 32)) return null;
    list.addSubnet(address, Number(bits), family);
  }
  return {
    isEmpty: parts.length === 0,
    has: (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
  };
}

export const NO_ADDRESSES: AddressSet = { has: () => false, isEmpty: true };

/** Bridges of containers and virtual machines lead nowhere that a person would look for Weft. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|cni|flannel|cali)/;

/** Under which addresses others reach a server that listens on `host`; none when it is for this machine alone. */
export function networkAddresses(host: string): readonly string[] {
  if (isLoopback(host) || host === 'localhost') return [];
  if (host !== '0.0.0.0' && host !== '::') return [host];
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    VIRTUAL.test(name)
      ? []
      : addresses.flatMap(({ address, family, internal }) => {
          // Link-local ones work only with a zone, or not at all.
          if (internal || /^(?:169\.254\.|fe80:)/i.test(address)) return [];
          return family === 'IPv4' || host === '::' ? [address] : [];
        }),
  );
}
