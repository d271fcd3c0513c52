import { expect, test } from 'vitest';
import {
  callerOf,
  isLoopback,
  networkAddresses,
  parseAddressSet,
  plainAddress,
} from '../../../backend/gateway/addresses.ts';

test.each([
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['10.0.0.7', '10.0.0.7'],
])('%s is %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain);
});

test('only this machine is this machine', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].map(isLoopback)).toEqual([true, true, true]);
  expect(['10.0.0.1', '127.0.0.1.evil.example', '1127.0.0.1', '::2', ''].some(isLoopback)).toBe(false);
});

test('one customer’s IPv6 network is one caller, however its addresses are written', () => {
  expect(callerOf('203.0.113.9')).toBe('203.0.113.9');
  const caller = callerOf('2001:db8:7:8::1');
  expect(caller).toBe('2001:db8:7:8::/64');
  expect(['2001:db8:7:8:ffff::2', '2001:0db8:0007:0008:1:2:3:4'].map(callerOf)).toEqual([caller, caller]);
  expect(callerOf('2001:db8:7:9::1')).not.toBe(caller);
  expect([callerOf('::1'), callerOf('fd00::')]).toEqual(['0:0:0:0::/64', 'fd00:0:0:0::/64']);
});

test('addresses and networks can be named; anything else is no list', () => {
  const set = parseAddressSet('127.0.0.1, 10.1.0.0/16,fd00::/8');
  expect(['127.0.0.1', '10.1.2.3', 'fd12::1'].map((address) => set?.has(address))).toEqual([true, true, true]);
  expect(['127.0.0.2', '10.2.0.1', 'fe00::1', '', 'x'].some((address) => set?.has(address))).toBe(false);
  expect(parseAddressSet('')?.isEmpty).toBe(true);
  const wrong = ['localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', 'fd00::/129', '1.2.3.4/-1'];
  expect(wrong.filter((text) => parseAddressSet(text) !== null)).toEqual([]);
});

test('a server for this machine alone has no address for others', () => {
  expect(['127.0.0.1', '::1', 'localhost'].flatMap(networkAddresses)).toEqual([]);
  expect(networkAddresses('192.0.2.9')).toEqual(['192.0.2.9']);
  expect(networkAddresses('0.0.0.0').some((address) => isLoopback(address) || address.includes(':'))).toBe(false);
});
