// Limits how much of a page's content is drawn. Any content can come from a hostile person, so each limit bounds how long the
// browser is busy at a time. Content beyond a limit is shown as plain text, or only once it is in view or asked for.
import { Allowance } from '../../lib/async/allowance.ts';

/** In a page with more blocks the browser draws only the visible part (`page.css`). */
export const MANY_BLOCKS = 1_000;

/** Columns of a table that is drawn. A row is drawn in one go, and 1,000 cells take 110 ms. */
export const MAX_DRAWN_COLUMNS = 1_000;

/** Characters (UTF-16 units) of an unsupported block that are shown at first, and added by each "Show more": 5 ms of layout. */
export const UNSUPPORTED_TEXT_CHARACTERS = 5_000;

/** Characters of a formula's source. A page of a book has 3,000; the deadline of the worker bounds the work. */
export const MAX_TEX_CHARACTERS = 20_000;
/** Characters of a formula's HTML: 700 characters of source, which take 80 ms of layout. */
export const MAX_FORMULA_HTML = 100_000;
/** The same for a formula in a line: 150 characters of source. */
export const MAX_INLINE_FORMULA_HTML = 20_000;
/** Elements of a formula inside each other. Twenty fractions in fractions have 140. */
export const MAX_FORMULA_DEPTH = 150;
/** Characters of formula HTML on all pages of the tab together: about 100 MB of memory. */
export const formulaAllowance = new Allowance(5_000_000);

/** Characters of a code block that is colored; the deadline of the worker bounds the work. */
export const MAX_COLORED_CHARACTERS = 100_000;
/** Colored ranges of one code block. The browser draws this many in 40 ms; the rest of the block stays uncolored. */
export const MAX_COLORED_RANGES = 2_000;
/** Colored ranges of one line: the browser lays out a line as a whole, and 4,000 ranges in one take it 200 ms. */
export const MAX_COLORED_RANGES_OF_LINE = 300;
/** Colored ranges of one page: about 45 MB of memory. The blocks that come after stay uncolored. */
export const MAX_COLORED_RANGES_OF_PAGE = 45_000;
