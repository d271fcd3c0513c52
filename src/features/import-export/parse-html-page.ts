// Reads an HTML file as a page, whether Weft exported it or another program wrote it.
import type { ImportedPage } from 'weft-document/markdown/markdown-to-page.ts';
import { parseForeignHtml } from '../../editor/html/blocks-of-html.ts';
import { parseHtmlBlocks } from '../../editor/html/parse-html-blocks.ts';

/**
 * The only first-level heading becomes the page's title; otherwise the title is the document's, or the file name.
 * `hasFile` says whether the file of a picture's address was chosen too.
 */
export function parseHtmlPage(source: string, name: string, hasFile: (address: string) => boolean): ImportedPage {
  const html = parseForeignHtml(source);
  const { body } = html;
  const [first, ...others] = body.querySelectorAll('h1');
  const words = (first?.textContent ?? '').replace(/\s+/g, ' ').trim();
  if (first === undefined || others.length > 0 || words === '') {
    return { title: html.title.trim() || name, blocks: parseHtmlBlocks(body, { hasFile }) };
  }
  first.remove();
  // The title took the first level, so every other heading moves up by one.
  for (const heading of body.querySelectorAll('h2, h3, h4, h5, h6')) {
    const lifted = html.createElement(`h${Number(heading.localName[1]) - 1}`);
    lifted.append(...heading.childNodes);
    heading.replaceWith(lifted);
  }
  return { title: words, blocks: parseHtmlBlocks(body, { hasFile }) };
}
