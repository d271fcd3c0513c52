// Converts HTML source to blocks. It is parsed into a separate document, so nothing in it runs or loads.
import type { DetachedBlock } from 'weft-document/blocks/detached-block.ts';
import { isAloneOnLine, parseHtmlBlocks } from './parse-html-blocks.ts';

export const bodyOfHtml = (html: string): HTMLElement => documentOf(html).body;

const documentOf = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Parses HTML that was not copied from a Weft page: removes `data-weft` attributes, whatever they say. */
export function parseForeignHtml(html: string): Document {
  const parsed = documentOf(html);
  for (const element of parsed.querySelectorAll('[data-weft]')) element.removeAttribute('data-weft');
  return parsed;
}

/** Elements whose content a page can represent; what only changes the look of text, such as `small`, may get lost. */
const SUPPORTED = new Set(
  (
    'a,abbr,acronym,address,article,aside,b,bdi,bdo,big,blockquote,body,br,caption,center,cite,code,col,colgroup,data,dd,del,' +
    'details,dfn,div,dl,dt,em,figcaption,figure,font,footer,h1,h2,h3,h4,h5,h6,header,hgroup,hr,html,i,img,ins,kbd,li,main,' +
    'mark,menu,nav,ol,p,picture,pre,q,rb,rp,rt,ruby,s,samp,section,small,source,span,strike,strong,sub,summary,sup,table,' +
    'tbody,td,tfoot,th,thead,time,tr,tt,u,ul,var,wbr'
  ).split(','),
);

/**
 * Converts HTML inside Markdown. Null if something would be lost (forms, scripts, comments, components): such HTML
 * stays as written.
 */
export function blocksOfHtml(html: string): readonly DetachedBlock[] | null {
  const names = html.matchAll(/<\/?([a-z][^\s/>]*)|<[!?]/gi);
  if (Array.from(names).some(([, name]) => name === undefined || !SUPPORTED.has(name.toLowerCase()))) return null;
  const { body } = parseForeignHtml(html);
  // A picture within a line becomes its alt text.
  const isInlineWithoutAlt = (image: Element) => (image.getAttribute('alt') ?? '') === '' && !isAloneOnLine(image);
  if (Array.from(body.querySelectorAll('img')).some(isInlineWithoutAlt)) return null;
  return parseHtmlBlocks(body);
}
