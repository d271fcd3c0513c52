// A file of HTML as a page: what any program wrote, and what Weft itself exported.
import type { ImportedPage } from '../../document/markdown/markdown-to-page.ts';
import { parseForeignHtml } from '../../editor/html/blocks-of-html.ts';
import { parseHtmlBlocks } from '../../editor/html/parse-html-blocks.ts';

/** Its title is its first heading where that is the only one of the first level, else what the file calls itself. */
/** `isHeld`: whether the file of a picture's address is at hand. */
export function parseHtmlPage(source: string, name: string, isHeld: (address: string) => boolean): ImportedPage {
  const html = parseForeignHtml(source);
  const { body } = html;
  const [first, ...others] = body.querySelectorAll('h1');
  const words = (first?.textContent ?? '').replace(/\s+/g, ' ').trim();
  if (first === undefined || others.length > 0 || words === '') {
    return { title: html.title.trim() || name, blocks: parseHtmlBlocks(body, { hasFile: isHeld }) };
  }
  first.remove();
  // The title was the first level: what stands below it is one higher.
  for (const heading of body.querySelectorAll('h2, h3, h4, h5, h6')) {
    const lifted = html.createElement(`h${Number(heading.localName[1]) - 1}`);
    lifted.append(...heading.childNodes);
    heading.replaceWith(lifted);
  }
  return { title: words, blocks: parseHtmlBlocks(body, { hasFile: isHeld }) };
}
