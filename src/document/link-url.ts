// Decides which URLs a link may have (SPECIFICATION.md, section 5). Writing, pasting and rendering all use this check.

const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:'];
const MAX_LENGTH = 2000;

/**
 * Returns the URL for use in an `href`, or null if it must be dropped. Allowed are http, https, mailto, tel and
 * relative URLs. Browsers ignore control characters and outer spaces in URLs, so we remove them before we read the
 * scheme.
 */
export function parseLinkUrl(text: unknown): string | null {
  // Before the walk through its characters: a hostile link can have a million.
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  // Drops C0 controls, DEL and C1. A function is clearer here than a regular expression full of escapes.
  const url = Array.from(text, (char) => (isControl(char) ? '' : char))
    .join('')
    .trim();
  if (url === '') return null;
  const scheme = /^[^/?#]*?:/.exec(url)?.[0].toLowerCase();
  return scheme === undefined || SCHEMES.includes(scheme) ? url : null;
}

/** Parses text that a person typed into a link field. A bare host or email address gets its scheme. */
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
