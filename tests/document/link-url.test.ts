import { expect, test } from 'vitest';
import { parseLinkUrl, parseTypedUrl } from 'weft-document/link-url.ts';

test.each([
  'https://weft.dev/a?b=c#d',
  'http://localhost:4400',
  'mailto:ada@example.org',
  'tel:+491234',
  '/w/northquay',
  '#part',
  '?q=1',
  '../up',
  'page',
  '//cdn.example.org/x',
  'a/b:c',
])('%s is allowed in a page', (url) => {
  expect(parseLinkUrl(url)).toBe(url);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0000javascript:alert(1)',
  '\u007fdata:text/html,x',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://x/1',
  'javascript&colon;:x',
  '',
  '   ',
  `https://x/${'y'.repeat(2000)}`,
  null,
  7,
  { href: 'https://x' },
])('%j is dropped', (url) => {
  expect(parseLinkUrl(url)).toBeNull();
});

test('a typed address gets the scheme it lacks', () => {
  expect(parseTypedUrl('weft.dev')).toBe('https://weft.dev');
  expect(parseTypedUrl(' weft.dev:8080/a?b ')).toBe('https://weft.dev:8080/a?b');
  expect(parseTypedUrl('ada@example.org')).toBe('mailto:ada@example.org');
  expect(parseTypedUrl('/w/x')).toBe('/w/x');
  expect(parseTypedUrl('javascript:alert(1)')).toBeNull();
  expect(parseTypedUrl('')).toBeNull();
});
