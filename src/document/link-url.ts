// Which addresses a link in text may have (SPECIFICATION.md, point 5). Used when writing, pasting and drawing alike.

const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:'];
const MAX_LENGTH = 2000;

/**
 * The address as it may stand in an `href`, or null when it must be dropped: http, https, mailto, tel or relative.
 * Browsers ignore control characters and outer spaces in addresses, so they are gone before the scheme is read.
 */
export function parseLinkUrl(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  // eslint-style ranges would hide what is meant: C0 controls, DEL and C1.
  const url = Array.from(text, (char) => (isControl(char) ? '' : char))
    .join('')
    .trim();
  if (url === '' || url.length > MAX_LENGTH) return null;
  const scheme = /^[^/?#]*?:/.exec(url)?.[0].toLowerCase();
  return scheme === undefined || SCHEMES.includes(scheme) ? url : null;
}

/** What a person typed into a link field: a bare host or mail address gets its scheme. */
export function parseTypedUrl(text: string): string | null {
  const typed = text.trim();
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(typed)) return parseLinkUrl(`mailto:${typed}`);
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#].*)?$/u.test(typed)) return parseLinkUrl(`https://${typed}`);
  return parseLinkUrl(typed);
}

function isControl(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
