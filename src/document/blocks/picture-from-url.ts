// What a page makes of an address that a text names as a picture: nothing is ever loaded from there.
import { parseLinkUrl } from '../link-url.ts';
import { type DetachedBlock, plainRun } from './detached-block.ts';

/** From afar: a card that leads there. A file beside the text: a picture whose file is still to be given. Else null. */
export function pictureFromUrl(alt: string, address: string | null): DetachedBlock | null {
  const url = parseLinkUrl(address);
  if (url === null) return null;
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(url)) return { type: 'embed', url, title: alt };
  const runs = alt === '' ? [] : [plainRun(alt)];
  return { type: 'image', file: null, name: decoded(url), width: 0, height: 0, size: null, runs };
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
