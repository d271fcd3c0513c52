// Markdown in pieces that mean the same read one by one: its parser takes time that grows with the square of a list's
// length, and holds up who types while it reads.

/** A piece is cut at the first place that allows it after so many characters. */
const PIECE_CHARACTERS = 8_000;
/** After so many even inside of HTML: looking for its end at each line would take longer than the parser. */
const MAX_PIECE = 200_000;
/** More definitions than this are not repeated with each piece. */
const MAX_DEFINITIONS = 200;

const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S.*$/gm;
const FENCE = /^ {0,3}(`{3,}|~{3,}|\${2,})/;
const BULLET = /^[-*+] {1,4}\S/;
const NUMBER = /^\d{1,9}[.)] {1,4}\S/;

export function splitMarkdown(source: string): readonly string[] {
  if (source.length <= PIECE_CHARACTERS) return [source];
  const definitions = source.match(DEFINITION) ?? [];
  // What a name refers to may stand in another piece.
  const shared = definitions.length > MAX_DEFINITIONS ? '' : definitions.join('\n');
  const pieces = splitLines(source);
  return shared === '' ? pieces : pieces.map((piece) => `${piece}\n\n${shared}`);
}

function splitLines(source: string): readonly string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let characters = 0;
  let fence: string | null = null;
  /** The last line that began at the edge. */
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

/** Before a paragraph or a heading at the edge, or before a list's next item. */
function maySplitBefore(line: string, before: string, edge: string): boolean {
  if (before.trim() === '' && /^(?:[\p{L}"'(]|#{1,6} |\*\*)/u.test(line)) return true;
  return (BULLET.test(line) && BULLET.test(edge)) || (NUMBER.test(line) && NUMBER.test(edge));
}

/** HTML that goes on over empty lines: a comment, `<pre>` and its like. */
function isOpenHtml(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (
    text.lastIndexOf('<!--') > text.lastIndexOf('-->') || /<(pre|script|style|textarea)\b(?![\s\S]*<\/\1>)/i.test(text)
  );
}
