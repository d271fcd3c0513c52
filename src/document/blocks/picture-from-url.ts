// Turns a picture reference in imported text into a block. Nothing is ever loaded from its URL.
import { parseLinkUrl } from '../link-url.ts';
import { type DetachedBlock, plainRun } from './detached-block.ts';

/**
 * An absolute URL becomes a link card. A relative path becomes a picture that still needs its file, and is its name. Null
 * for a URL that is not allowed.
 */
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
