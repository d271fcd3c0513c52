// The part of a page's headings that its outlines and menus list.
import { counted } from '../../lib/text/counted.ts';

/** A list of more would take longer to draw than the page itself. */
const MAX_LISTED = 500;

/** `more` tells how many others there are; null: none. */
export const listedHeadings = <Heading>(
  headings: readonly Heading[],
): { readonly listed: readonly Heading[]; readonly more: string | null } => ({
  listed: headings.slice(0, MAX_LISTED),
  more: headings.length > MAX_LISTED ? counted(headings.length - MAX_LISTED, 'more heading') : null,
});
