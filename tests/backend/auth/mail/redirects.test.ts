// The addresses to which links may lead when people reach Weft under several host names.
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { Redirects } from '../../../../backend/auth/mail/redirects.ts';

const ORIGIN = 'https://weft.example';
const published = new Redirects({ origin: () => ORIGIN, hosts: ['weft.lan'] });
const open = new Redirects({ origin: () => 'http://192.0.2.7:4400', hosts: [] });
const isAllowed = (redirects: Redirects, url: string) => redirects.allow(url) === new URL(url).href;

test.each([
  'https://weft.example/reset?a=b',
  'http://weft.lan:4400/auth/callback',
  'http://127.0.0.1:5173/',
  'http://[::1]:4400/reset',
  'http://localhost/',
])('%s is allowed', (url) => {
  expect(isAllowed(published, url)).toBe(true);
});

test.each([
  'http://weft.example/reset',
  'https://weft.example.evil.example/',
  'https://evil.example/?weft.example',
  'https://user:secret@weft.example/',
  'http://sub.weft.lan/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
])('%s is replaced by the site’s own address', (url) => {
  expect(published.allow(url)).toBe(ORIGIN);
});

test('an address of this machine is allowed at our port only', () => {
  const [own] = Object.values(networkInterfaces()).flatMap(
    (list) => list?.filter((one) => one.family === 'IPv4') ?? [],
  );
  expect(own).toBeDefined();
  // Not a loopback address: those are allowed at every port.
  const address = own?.internal === true ? '192.0.2.7' : (own?.address ?? '');
  expect(isAllowed(open, `http://${address}:4400/reset`)).toBe(true);
  expect(isAllowed(open, `http://${address}:4401/reset`)).toBe(false);
  expect(isAllowed(open, 'http://192.0.2.8:4400/reset')).toBe(false);
});

test('a mail’s link begins with the origin of the request, if it is ours', () => {
  expect(published.base(new URL('http://weft.lan:4400/auth/v1/otp'))).toBe('http://weft.lan:4400');
  expect(published.base(new URL('http://evil.example/auth/v1/otp'))).toBe(ORIGIN);
});
