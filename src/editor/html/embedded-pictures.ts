// Pictures embedded in text as `data:` addresses.
import { type DetachedBlock, mapRuns } from 'weft-document/blocks/detached-block.ts';
import { fromBase64 } from '../../lib/bytes.ts';
import type { FindPicture } from './attach-pictures.ts';

/** The pictures that a page can hold: what follows `image/` in their type. */
const KINDS = String.raw`png|jpe?g|gif|webp|avif|svg\+xml`;
const TYPE = new RegExp(`^image/(${KINDS})$`);
/** The forms that programs write: parameters, base64 with `%2B` for `+`, and SVG as source. */
const ADDRESS = new RegExp(String.raw`^data:image/(${KINDS})((?:;[\w.=-]+)*),(.+)$`, 'is');
/** The same inside text, where brackets and quotes end the address. */
const IN_TEXT = /data:image\/[\w+]+(?:;[\w.=-]+)*,(?:[\w+/=.~-]|%[\da-f]{2})+/gi;
const ENDS: Readonly<Record<string, string>> = { jpeg: 'jpg', 'svg+xml': 'svg' };

export type EmbeddedPictures = {
  /** Returns the short address of a picture; any other address is returned unchanged. */
  readonly extract: (address: string) => string;
  /** Replaces the address of each picture in a text by a short one. */
  readonly extractFromText: (text: string) => string;
  /** Returns a short address for a picture that was fetched; null if it is none that a page can hold. */
  readonly add: (picture: Blob, address: string) => string | null;
  readonly find: FindPicture;
  /** Restores an address that was text, such as in a code example. */
  readonly restore: (block: DetachedBlock) => DetachedBlock;
  readonly count: () => number;
};

/** Replaces long addresses by short ones while the text is parsed, because they are not text. */
export function extractPictures(): EmbeddedPictures {
  const extracted = new Map<string, { readonly file: File; readonly address: string }>();
  const key = crypto.randomUUID();
  const take = (address: string): string => {
    const [, kind = '', parameters = '', data = ''] = ADDRESS.exec(address) ?? [];
    const isBase64 = /;base64$/i.test(parameters);
    const bytes = isBase64 ? fromBase64(unescaped(data)) : new TextEncoder().encode(unescaped(data));
    if (kind === '' || bytes === null || bytes.length === 0) return address;
    return keep(kind.toLowerCase(), bytes, address);
  };
  const keep = (kind: string, bytes: BlobPart, address: string): string => {
    const name = `picture-${extracted.size + 1}.${ENDS[kind] ?? kind}`;
    const type = `image/${kind === 'jpg' ? 'jpeg' : kind}`;
    extracted.set(`${key}-${name}`, { file: new File([bytes], name, { type }), address });
    return `${key}-${name}`;
  };
  const asWritten = (words: string) =>
    Array.from(extracted).reduce((all, [name, { address }]) => all.replaceAll(name, address), words);
  return {
    extract: take,
    extractFromText: (text) => text.replace(IN_TEXT, take),
    add(picture, address) {
      const [, kind] = TYPE.exec(picture.type) ?? [];
      return kind === undefined || picture.size === 0 ? null : keep(kind, picture, address);
    },
    find: (address) => extracted.get(address)?.file ?? null,
    restore: (block) => mapRuns(block, (run) => (run.text.includes(key) ? { ...run, text: asWritten(run.text) } : run)),
    count: () => extracted.size,
  };
}

/** The pictures of a parsed page. Mail programs break one address over several lines. */
export function extractFromHtml(body: ParentNode): EmbeddedPictures {
  const pictures = extractPictures();
  for (const image of body.querySelectorAll('img[src^="data:" i]')) {
    image.setAttribute('src', pictures.extract((image.getAttribute('src') ?? '').replace(/[\r\n\t]+ */g, '')));
  }
  return pictures;
}

function unescaped(data: string): string {
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}
