// HTML source as blocks. Parsed in a document of its own: nothing of it runs or loads.
import type { DetachedBlock } from '../../document/blocks/detached-block.ts';
import { isAlone, pastedBlocks } from './pasted-blocks.ts';

export const bodyOfHtml = (html: string): HTMLElement => documentOf(html).body;

const documentOf = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

/** Of a text that nobody copied on a page of ours, whatever it says. */
export function foreignDocument(html: string): Document {
  const parsed = documentOf(html);
  for (const element of parsed.querySelectorAll('[data-weft]')) element.removeAttribute('data-weft');
  return parsed;
}

/** Of these a page holds all that they say. */
const READ = new Set(
  (
    'a,abbr,acronym,address,article,aside,b,bdi,bdo,big,blockquote,body,br,caption,center,cite,code,col,colgroup,data,dd,del,' +
    'details,dfn,div,dl,dt,em,figcaption,figure,font,footer,h1,h2,h3,h4,h5,h6,header,hgroup,hr,html,i,img,ins,kbd,li,main,' +
    'mark,menu,nav,ol,p,picture,pre,q,rb,rp,rt,ruby,s,samp,section,small,source,span,strike,strong,sub,summary,sup,table,' +
    'tbody,td,tfoot,th,thead,time,tr,tt,u,ul,var,wbr'
  ).split(','),
);

/**
 * What stands as HTML in Markdown. Null where something of it would be lost: forms, scripts, comments, components that
 * some program would draw. Those stay as they were written.
 */
export function blocksOfHtml(html: string): readonly DetachedBlock[] | null {
  const names = html.matchAll(/<\/?([a-z][^\s/>]*)|<[!?]/gi);
  if (Array.from(names).some(([, name]) => name === undefined || !READ.has(name.toLowerCase()))) return null;
  const { body } = foreignDocument(html);
  const isUnsaid = (image: Element) => (image.getAttribute('alt') ?? '') === '' && !isAlone(image);
  if (Array.from(body.querySelectorAll('img')).some(isUnsaid)) return null;
  return pastedBlocks(body);
}
