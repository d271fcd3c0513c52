// DNS rebinding: if evil.example suddenly resolves to 127.0.0.1, its page must get nothing from this server.
import { describe, expect, test } from 'vitest';
import { hostOf, hostOfOrigin, knownHosts } from '../../../backend/gateway/known-hosts.ts';

const LOCAL = ['localhost', 'weft.localhost', '127.0.0.1', '127.8.8.8', '::1'];
const NETWORK_NAMES = ['192.168.1.20', 'fd00::20', 'attic', 'attic.local', 'attic.lan', 'weft.test', 'a.b.home.arpa'];
const FOREIGN_NAMES = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.nip.io',
  'local',
  'attic.local.evil.example',
];

describe('a server for this machine only', () => {
  const hosts = knownHosts(false, ['Weft.example']);
  test.each(LOCAL)('answers to %s', (name) => expect(hosts.has(name)).toBe(true));
  test.each([...NETWORK_NAMES, ...FOREIGN_NAMES, '0.0.0.0', ''])('does not answer to "%s"', (name) =>
    expect(hosts.has(name)).toBe(false),
  );
  test('answers to a name that the operator added', () => expect(hosts.has('weft.example')).toBe(true));
});

describe('a server for a network', () => {
  const hosts = knownHosts(true, []);
  test.each([...LOCAL, ...NETWORK_NAMES])('answers to %s', (name) => expect(hosts.has(name)).toBe(true));
  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', 'attic.local.evil.example', ''])(
    'does not answer to "%s", which someone can point anywhere',
    (name) => expect(hosts.has(name)).toBe(false),
  );
});

test.each([
  ['localhost:4400', 'localhost'],
  ['LocalHost.', 'localhost'],
  ['[::1]:80', '::1'],
  ['10.0.0.1', '10.0.0.1'],
])('%s names %s', (header, name) => expect(hostOf(header)).toBe(name));

test.each(['', 'a b', 'a/b', 'user@localhost', 'localhost:99999', 'localhost:x', '[::1', '::1', '[zz]', 'a,b', '.'])(
  '"%s" names nothing',
  (header) => expect(hostOf(header)).toBeNull(),
);

test('an origin has a host name if it is http or https', () => {
  expect(hostOfOrigin('http://localhost:5173')).toBe('localhost');
  expect(hostOfOrigin('https://[::1]')).toBe('::1');
  expect(['null', 'file://', 'chrome-extension://localhost', ''].map(hostOfOrigin)).toEqual([null, null, null, null]);
});
