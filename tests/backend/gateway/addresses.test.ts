import { expect, test } from 'vitest';
import {
  callerOf,
  isLoopback,
  networkAddresses,
  normalizeAddress,
  parseAddressSet,
} from '../../../backend/gateway/addresses.ts';

test.each([
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['10.0.0.7', '10.0.0.7'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['127.1', '127.1'],
  ['example.com', 'example.com'],
])('%s is normalized to %s', (address, normalized) => {
  expect(normalizeAddress(address)).toBe(normalized);
});

test('only addresses of this machine are loopback', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].map(isLoopback)).toEqual([true, true, true]);
  const others = ['10.0.0.1', '127.0.0.1.evil.example', '1127.0.0.1', '::2', '', '127.1', '0x7f.1', '2130706433'];
  expect(others.filter(isLoopback)).toEqual([]);
});

test('one customer’s IPv6 network counts as one caller, however its addresses are written', () => {
  expect(callerOf('203.0.113.9')).toBe('203.0.113.9');
  const caller = callerOf('2001:db8:7:8::1');
  expect(caller).toBe('2001:db8:7:8::/64');
  expect(['2001:db8:7:8:ffff::2', '2001:0db8:0007:0008:1:2:3:4'].map(callerOf)).toEqual([caller, caller]);
  expect(callerOf('2001:db8:7:9::1')).not.toBe(caller);
  expect([callerOf('::1'), callerOf('fd00::')]).toEqual(['0:0:0:0::/64', 'fd00:0:0:0::/64']);
});

test('a list holds addresses and networks; anything else in it makes it invalid', () => {
  const set = parseAddressSet('127.0.0.1, 10.1.0.0/16,fd00::/8, ::ffff:192.0.2.1');
  const inside = ['127.0.0.1', '10.1.2.3', 'fd12::1', '::ffff:10.1.2.3', '192.0.2.1'];
  expect(inside.filter((address) => set?.has(address) !== true)).toEqual([]);
  expect(['127.0.0.2', '10.2.0.1', 'fe00::1', '', 'x'].some((address) => set?.has(address))).toBe(false);
  expect(parseAddressSet('')?.has('127.0.0.1')).toBe(false);
  const wrong = ['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', 'fd00::/129', '1.2.3.4/-1'];
  expect(wrong.filter((text) => parseAddressSet(text) !== null)).toEqual([]);
});

test('a server that listens on this machine only has no address for others', () => {
  expect(['127.0.0.1', '::1', 'localhost'].flatMap(networkAddresses)).toEqual([]);
  expect(networkAddresses('192.0.2.9')).toEqual(['192.0.2.9']);
  expect(networkAddresses('0.0.0.0').some((address) => isLoopback(address) || address.includes(':'))).toBe(false);
});
