// Escapes text for HTML, and reads the little HTML in Markdown files, without a DOM.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);

export const unescapeHtml = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
    (all, hex?: string, digits?: string, name?: string) => {
      if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? all;
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '�';
    },
  );

/** Markdown writers separate two lists with an empty comment. A comment with text is someone's note. */
export const isEmptyComment = (html: string): boolean => /^<!--(?:-?>|[\s-]*-->)$/.test(html);

export type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attribute: (name: string) => string | null;
};

/** Parses one tag. Returns null for anything else: a comment, or `<String>` followed by text. */
export function parseTag(html: string): Tag | null {
  const [, slash, name, rest = ''] = /^<(\/?)([a-z][a-z\d-]*)((?:\s[^<>]*|\/)?)>$/i.exec(html.trim()) ?? [];
  if (name === undefined) return null;
  return {
    name: name.toLowerCase(),
    isEnd: slash === '/',
    attribute(attributeName) {
      const found = new RegExp(`(?:^|\\s)${attributeName}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
        rest,
      );
      return found === null ? null : unescapeHtml(found[1] ?? found[2] ?? found[3] ?? '');
    },
  };
}
