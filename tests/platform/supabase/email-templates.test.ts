// The emails that supabase/config.toml brings to a hosted project, whose own ones hold a link and no code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../support/sources.ts';

const config = readFileSync(join(ROOT, 'supabase/config.toml'), 'utf8');
const templates = [
  ...config.matchAll(/^\[auth\.email\.template\.(\w+)\]\nsubject = ".+"\ncontent_path = "(.+)"$/gm),
].map(([, name = '', path = '']) => ({ name, html: readFileSync(join(ROOT, path), 'utf8') }));

test('are those that the app asks for', () => {
  expect(templates.map(({ name }) => name)).toEqual(['confirmation', 'magic_link', 'recovery']);
});

test.each(templates)('$name holds the link once, and loads nothing', ({ html }) => {
  expect(html.match(/href="[^"]*"/g)).toEqual(['href="{{ .ConfirmationURL }}"']);
  expect(html).not.toMatch(/<(?:img|link|script|style)\b|url\(/);
});

test.each(templates)('$name holds a code if the app has a field for it', ({ name, html }) => {
  expect(html.includes('{{ .Token }}')).toBe(name !== 'confirmation');
});

test('no section is one that the CLI calls deprecated', () => {
  const sections = [...config.matchAll(/^\[(.+)\]$/gm)].map(([, name]) => name);
  expect(sections.filter((name) => /inbucket|external\.(?:linkedin|slack)$|orioledb/.test(name ?? ''))).toEqual([]);
});
