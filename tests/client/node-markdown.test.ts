import { expect, onTestFinished, test } from 'vitest';
import { pageContentOf } from 'weft-document/body/page-content.ts';
import { BLOCK, bodyOf, titleOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { NodeMarkdown } from '../../src/client/node-markdown.ts';

function writer(): NodeMarkdown {
  const markdown = new NodeMarkdown();
  onTestFinished(() => markdown.close());
  return markdown;
}

function pageOf(texts: readonly string[]) {
  const doc = new Y.Doc();
  titleOf(doc).insert(0, 'Title');
  const blocks = texts.map((text) => {
    const block = new Y.XmlElement(BLOCK);
    block.insert(0, [new Y.XmlText(text)]);
    return block;
  });
  bodyOf(doc).insert(0, blocks);
  return pageContentOf(doc)();
}

test('a page is written in a thread, with its title as the only first-level heading', async () => {
  expect(await writer().write(pageOf(['One *star*', 'Two']))).toBe('# Title\n\nOne \\*star\\*\n\nTwo\n');
});

test('a page of 36,000 blocks is written whole, while this thread goes on', async () => {
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 20);
  onTestFinished(() => clearInterval(counting));
  const text = await writer().write(pageOf(Array.from({ length: 36_000 }, (_, at) => `Paragraph ${at}`)));
  expect(text.match(/^Paragraph \d+$/gm)).toHaveLength(36_000);
  expect(turns).toBeGreaterThan(5);
});

test('what is being written when it is closed becomes plain text, and nothing hangs', async () => {
  const markdown = new NodeMarkdown();
  const writing = markdown.write(pageOf(['One *star*']));
  markdown.close();
  expect(await writing).toContain('One *star*');
  markdown.close();
});
