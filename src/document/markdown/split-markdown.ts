// Splits Markdown into pieces that mean the same when parsed one by one, unless it exceeds `MAX_PIECE` or
// `MAX_DEFINITIONS`. The parser needs quadratic time for a long list.

/** A piece ends at the first allowed place after this many characters. */
const PIECE_CHARACTERS = 8_000;
/**
 * After this many characters a piece ends even inside HTML: checking for the end of the HTML on each line would take
 * longer than parsing.
 */
const MAX_PIECE = 200_000;
/** A document with more definitions than this does not get them repeated in every piece. */
const MAX_DEFINITIONS = 200;

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S.*$/gm;
const FENCE = /^ {0,3}(`{3,}|~{3,}|\${2,})/;
const BULLET = /^[-*+] {1,4}\S/;
const NUMBER = /^\d{1,9}[.)] {1,4}\S/;

export function splitMarkdown(source: string): readonly string[] {
  if (source.length <= PIECE_CHARACTERS) return [source];
  const definitions = source.match(DEFINITION) ?? [];
  // A reference and its definition may be in different pieces.
  const shared = definitions.length > MAX_DEFINITIONS ? '' : definitions.join('\n');
  const pieces = splitLines(source);
  return shared === '' ? pieces : pieces.map((piece) => `${piece}\n\n${shared}`);
}

function splitLines(source: string): readonly string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let characters = 0;
  let fence: string | null = null;
  /** The last line without indentation. */
  let edge = '';
  let before = '';
  for (const line of source.split('\n')) {
    if (
      characters > PIECE_CHARACTERS &&
      fence === null &&
      maySplitBefore(line, before, edge) &&
      (characters > MAX_PIECE || !isOpenHtml(piece))
    ) {
      pieces.push(piece.join('\n'));
      piece = [];
      characters = 0;
    }
    const ticks: string | undefined = FENCE.exec(line)?.[1];
    if (ticks !== undefined && (fence === null || line.trim().startsWith(fence))) fence = fence === null ? ticks : null;
    piece.push(line);
    characters += line.length + 1;
    if (/^\S/.test(line)) edge = line;
    before = line;
  }
  return [...pieces, piece.join('\n')];
}

/** Whether a piece may end before this line: an unindented paragraph, heading or footnote, or the next item of a list. */
function maySplitBefore(line: string, before: string, edge: string): boolean {
  if (before.trim() === '' && /^(?:[\p{L}"'(]|#{1,6} |\*\*|\[\^)/u.test(line)) return true;
  return (BULLET.test(line) && BULLET.test(edge)) || (NUMBER.test(line) && NUMBER.test(edge));
}

/** HTML that continues across empty lines: a comment, `<pre>` and similar elements. */
function isOpenHtml(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (
    text.lastIndexOf('<!--') > text.lastIndexOf('-->') || /<(pre|script|style|textarea)\b(?![\s\S]*<\/\1>)/i.test(text)
  );
}
