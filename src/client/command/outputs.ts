// The output of `weft watch` in its four formats. Everything is made safe for a terminal, whether there is one or not, so that
// a pipe shows the same as the screen.
import { pageToText } from 'weft-document/formats/page-to-text.ts';
import { printableJson, printableLine, printableText } from '../../lib/text/printable-text.ts';
import { unifiedDiff } from '../../lib/text/unified-diff.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import type { NodeMarkdown } from '../node-markdown.ts';
import type { PageState } from '../page-change.ts';
import type { ChangesBatch } from '../page-watch.ts';
import { changeText } from './change-text.ts';
import type { Format } from './options.ts';

/** Raised when the objects change in a way that a reader must know about. */
const JSON_VERSION = 1;

export interface Output {
  /** The page at which watching begins. `isNew`: it does not go on from an earlier state. */
  started(page: PageState, isNew: boolean): Promise<string>;
  changed(batch: ChangesBatch): Promise<string>;
  /** The whole page, for `--once` without an earlier state, or with `--markdown`. Then it is the only call. */
  whole(page: PageState): Promise<string>;
}

export function outputOf(format: Format, markdown: Pick<NodeMarkdown, 'write'>): Output {
  switch (format) {
    case 'text':
      return textOutput;
    case 'json':
      return jsonOutput(markdown);
    case 'markdown':
      return markdownOutput(markdown);
    case 'diff':
      return diffOutput(markdown);
  }
}

const nothing = async () => '';

const textOutput: Output = {
  started: nothing,
  changed: async ({ changes }) => changes.map(changeText).join(''),
  whole: async ({ title, blocks }) => printableText(Array.from(pageToText(title, blocks)).join('')),
};

const jsonOutput = (markdown: Pick<NodeMarkdown, 'write'>): Output => ({
  started: nothing,
  changed: async ({ changes }) =>
    changes.map((change) => `${printableJson({ version: JSON_VERSION, kind: 'change', ...change })}\n`).join(''),
  whole: async (page) => {
    const { seq, at, title } = page;
    const whole = {
      version: JSON_VERSION,
      kind: 'page',
      seq,
      at,
      author: null,
      title,
      markdown: await markdown.write(page),
    };
    return `${printableJson(whole)}\n`;
  },
});

function markdownOutput(markdown: Pick<NodeMarkdown, 'write'>): Output {
  const separated = async (page: PageState) =>
    `<!-- weft: change ${page.seq}, ${page.at ?? 'time unknown'} -->\n\n${printableText(await markdown.write(page))}\n`;
  return {
    started: (page, isNew) => (isNew ? separated(page) : nothing()),
    changed: ({ page }) => separated(page),
    whole: async (page) => printableText(await markdown.write(page)),
  };
}

function diffOutput(markdown: Pick<NodeMarkdown, 'write'>): Output {
  let last: { readonly page: PageState; readonly name: string; readonly text: string } | null = null;
  const read = async (page: PageState) => {
    if (last?.page === page) return last;
    const name = `${printableLine(shownTitle(page.title))}\t#${page.seq} ${page.at ?? ''}`.trimEnd();
    return (last = { page, name, text: printableText(await markdown.write(page)) });
  };
  return {
    async started(page) {
      await read(page);
      return '';
    },
    async changed({ before, page }) {
      // `before` is another page than the last one if words were erased in between: no diff may show them (WA9).
      const [old, now] = [await read(before), await read(page)];
      return unifiedDiff(old.text, now.text, [old.name, now.name]);
    },
    async whole(page) {
      const { name, text } = await read(page);
      return unifiedDiff('', text, ['/dev/null', name]);
    },
  };
}
