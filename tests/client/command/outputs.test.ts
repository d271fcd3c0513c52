// What `weft watch` prints for pages that are made up here: no page is watched.
import { expect, test } from 'vitest';
import { outputOf } from '../../../src/client/command/outputs.ts';
import type { PageState } from '../../../src/client/page-change.ts';

const titled = (seq: number, title: string): PageState => ({ seq, at: null, title, blocks: [] });

test('[WA9] a diff shows no words that were erased since the last one', async () => {
  const output = outputOf('diff', { write: async ({ title }) => `# ${title}\n` });
  const [erased, page] = [titled(2, 'Our'), titled(3, 'Our plan')];
  await output.started(titled(1, 'Our secret'), true);
  expect(await output.changed({ before: titled(1, 'Our'), changes: [], page: erased })).toBe('');
  expect(await output.changed({ before: erased, changes: [], page })).toBe(
    '--- Our\t#2\n+++ Our plan\t#3\n@@ -1 +1 @@\n-# Our\n+# Our plan\n',
  );
});
