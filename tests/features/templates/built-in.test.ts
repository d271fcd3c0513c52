import { expect, test } from 'vitest';
import { textOfRuns } from 'weft-document/blocks/block.ts';
import { markdownToBlocks } from 'weft-document/markdown/markdown-to-blocks.ts';
import { BUILT_IN_TEMPLATES } from '../../../src/features/templates/built-in.ts';
import { pageIconsByName } from '../../../src/ui/page-icon/icon-set.ts';

test('there are five built-in templates, each with an icon that pages can have', () => {
  expect(BUILT_IN_TEMPLATES.map(({ name }) => name)).toEqual([
    'Meeting notes',
    'Project plan',
    'Weekly journal',
    'Decision record',
    'Reading list',
  ]);
  expect(BUILT_IN_TEMPLATES.filter(({ icon }) => !pageIconsByName.has(icon))).toEqual([]);
});

test.each(BUILT_IN_TEMPLATES)(
  '$name has a title, headings, something to fill in, and no leftover marks',
  (template) => {
    expect(template.markdown.startsWith(`# ${template.name}\n`)).toBe(true);
    const blocks = markdownToBlocks(template.markdown);
    const kinds = blocks.map((block) => (block.type === 'block' ? block.kind : block.type));
    expect(kinds.filter((kind) => kind === 'heading').length).toBeGreaterThan(3);
    expect(kinds.filter((kind) => kind === 'table' || kind === 'task').length).toBeGreaterThan(1);
    const texts = blocks.map((block) => (block.type === 'block' ? textOfRuns(block.runs) : ''));
    // Signs that Markdown does not understand stay in the text.
    expect(texts.filter((text) => /\[ \]|\*\*|\||\\/.test(text))).toEqual([]);
    // Each label has a line of its own.
    expect(texts.flatMap((text) => text.split('\n')).filter((line) => /:.*:/.test(line))).toEqual([]);
  },
);
