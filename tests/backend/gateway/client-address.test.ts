import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientOf } from '../../../backend/gateway/client-address.ts';
import { addressSet } from './support/gateway-server.ts';

function requestFrom(peer: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  const incoming = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: peer }));
  Object.assign(incoming.headers, headers);
  return incoming;
}

describe('behind a trusted proxy', () => {
  const trusted = addressSet('10.0.0.0/8');
  const addressOf = (chain: string, peer = '::ffff:10.0.0.1') =>
    clientOf(requestFrom(peer, { 'x-forwarded-for': chain }), trusted).address;

  test.each([
    ['203.0.113.1', '203.0.113.1'],
    ['198.51.100.7, 203.0.113.1', '203.0.113.1'],
    ['203.0.113.1, 10.0.0.9,10.0.0.8', '203.0.113.1'],
    ['203.0.113.1:4711', '203.0.113.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['10.0.0.9', '10.0.0.9'],
    ['203.0.113.1, unknown, 10.0.0.9', '10.0.0.9'],
    ['203.0.113.1, 127.1', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('X-Forwarded-For "%s" means %s', (chain, address) => {
    expect(addressOf(chain)).toBe(address);
  });

  test('the proxy reports whether the client used TLS, and its clients are never this machine', () => {
    const headers = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http, https' };
    expect(clientOf(requestFrom('10.0.0.1', headers), trusted)).toEqual({
      address: '127.0.0.1',
      isThisMachine: false,
      isHttps: true,
    });
  });
});

test('the headers of anyone else are ignored', () => {
  const headers = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' };
  expect(clientOf(requestFrom('203.0.113.1', headers), addressSet('10.0.0.1'))).toEqual({
    address: '203.0.113.1',
    isThisMachine: false,
    isHttps: false,
  });
});

test('a connection that is gone has no address', () => {
  expect(clientOf(new IncomingMessage(new Socket()), addressSet('10.0.0.1')).address).toBe('');
});
