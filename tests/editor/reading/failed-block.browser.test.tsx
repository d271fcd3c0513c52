import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Block } from 'weft-document/blocks/block.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { StaticBody } from '../../../src/editor/reading/static-body.tsx';
import { CONTENT_TEXTS } from '../../../src/texts/content-texts.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';

test('a block that cannot be drawn is shown as plain text, the others as they are, and it is drawn once it changes', async () => {
  const doc = newDoc();
  Y.applyUpdate(doc, pageSeed('First.', { kind: 'callout', tone: 'note', text: 'Broken.' }, 'Last.'));
  const blocks = parseBody(doc);
  const broken = blocks.map((block): Block => {
    if (block.type !== 'block' || block.kind !== 'callout') return block;
    return Object.defineProperty({ ...block }, 'tone', {
      // React's development build reads props too, to log them.
      get: () => {
        const { stack = '' } = new Error('broken on purpose');
        if (stack.includes('StaticBlock')) throw new Error('broken on purpose');
        return 'note';
      },
    });
  });
  const root = document.body.appendChild(document.createElement('div'));
  const caught: unknown[] = [];
  const react = createRoot(root, { onCaughtError: (error) => void caught.push(error) });
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  const draw = (now: readonly Block[]) =>
    react.render(
      <StrictMode>
        <StaticBody blocks={now} page="page" />
      </StrictMode>,
    );
  draw(broken);
  await expect.element(page.getByText(CONTENT_TEXTS.blockFailed)).toBeVisible();
  for (const words of ['First.', 'Broken.', 'Last.']) await expect.element(page.getByText(words)).toBeVisible();
  expect(caught).toHaveLength(1);
  draw(blocks);
  await expect.poll(() => root.querySelector('[data-kind="callout"]')?.textContent).toBe('Broken.');
  expect(root.querySelector('.unsupported-block')).toBeNull();
});
