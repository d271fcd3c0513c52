// Fills a page in a real browser with every kind of block, by keyboard and clipboard.
import type { Page } from 'playwright-core';
import { paste } from '../browser/paste.ts';
import type { Person } from '../browser/person.ts';

export async function writeAllKinds(person: Person): Promise<void> {
  const lines: readonly (readonly [object, string])[] = [
    [
      { kind: 'paragraph' },
      'The harbour opens at six. <b>Bold</b>, <code>code</code>, <mark>marked</mark>, <a href="https://weft.dev">a link</a>.',
    ],
    [{ kind: 'heading', level: 1 }, 'What has to be ready'],
    [{ kind: 'bullet' }, 'Ropes'],
    [{ kind: 'numbered' }, 'Anchor'],
    [{ kind: 'task' }, 'Lanterns'],
    [{ kind: 'task', checked: true }, 'Boats'],
    [{ kind: 'quote' }, 'Slowly.'],
    [{ kind: 'heading', level: 2 }, 'Who brings what'],
    ...(['note', 'tip', 'care', 'stop'] as const).map((tone) => [{ kind: 'callout', tone }, `A ${tone}`] as const),
    [{ kind: 'toggle' }, 'What to pack'],
    [{ kind: 'paragraph', indent: 1 }, 'A tent.'],
    [{ kind: 'code', language: 'ts' }, "const each = 'lantern'; // twelve\nreturn Math.ceil(12 / boats);"],
  ];
  const html = lines
    .map(([style, words]) => {
      const isCode = 'language' in style;
      const own = JSON.stringify({ type: 'block', ...style });
      return `<${isCode ? 'pre' : 'p'} data-weft='${own}'>${isCode ? `<code>${words}</code>` : words}</${isCode ? 'pre' : 'p'}>`;
    })
    .join('');
  await paste(person.page, { 'text/html': html });
  await person.page.keyboard.press('Control+Enter');
  await person.type('---');
  await person.type('$$ x^2');
  await person.page.keyboard.press('Enter');
  await paste(person.page, { 'text/plain': 'https://weft.dev/guide/first-page' });
  await person.page.keyboard.press('Control+Enter');
  await person.page.keyboard.press('Enter');
  await person.type('| When | What |');
  await person.page.keyboard.press('Enter');
  await person.page.locator('.page-body table').waitFor();
  await person.type('Six');
  await person.page.keyboard.press('Control+Enter');
  await pastePicture(person.page);
  await person.page.locator('.picture[data-state="here"]').waitFor();
  await person.page.locator('.katex-html').first().waitFor();
  await person.waitForReceipt('saved');
}

async function pastePicture(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(320, 120);
    const drawing = canvas.getContext('2d');
    if (drawing !== null) drawing.fillStyle = 'teal';
    drawing?.fillRect(0, 0, 320, 120);
    const file = new File([await canvas.convertToBlob()], 'quay.png', { type: 'image/png' });
    const clipboardData = new DataTransfer();
    clipboardData.items.add(file);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
}
