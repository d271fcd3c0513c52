import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../src/lib/text/unified-diff.ts';

const diff = (before: string, after: string) => unifiedDiff(before, after, ['a', 'b']);

test('equal texts have no diff', () => {
  expect(diff('', '')).toBe('');
  expect(diff('a\nb', 'a\nb')).toBe('');
});

test('a changed line stands between three lines of context', () => {
  expect(diff('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nfive\n6\n7\n8\n9\n')).toBe(
    '--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
  );
});

test('an empty side and a missing last line break are written as diff writes them', () => {
  expect(diff('', 'x\ny\n')).toBe('--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n');
  expect(diff('x\n', '')).toBe('--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n');
  expect(diff('x', 'x\n')).toBe('--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n');
});

test('git applies the diff of any two texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-diff-'));
  const line = fc.constantFrom('', 'a', 'b', 'c', '+x', '-y', '@@ -1 +1 @@');
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
    .map(([lines, ends]) => lines.map((one) => `${one}\n`).join('') + (ends ? '' : 'end'));
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && after !== '' && before !== '');
        const file = join(folder, 'page.md');
        writeFileSync(file, before);
        const patch = unifiedDiff(before, after, ['a/page.md', 'b/page.md']);
        execFileSync('git', ['apply', '--unidiff-zero', '-'], { cwd: folder, input: patch, stdio: 'pipe' });
        expect(readFileSync(file, 'utf8')).toBe(after);
      }),
      { numRuns: 60 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the diff of near texts is short, and one of texts that differ too much replaces them as a whole', () => {
  const long = Array.from({ length: 40_000 }, (_, at) => `line ${at}\n`);
  expect(diff(long.join(''), long.toSpliced(20_000, 1).join('')).split('\n')).toHaveLength(11);
  // The lines that both have would be found, but the search ends at the limit of differences.
  const unlike = diff(long.join(''), long.map((text, at) => (at % 10 === 5 ? text : `> ${text}`)).join(''));
  expect(unlike.split('\n')).toHaveLength(2 + 1 + 80_000 + 1);
});
