// Makes the anchor of a new comment, or of one whose words stand elsewhere by now.
import * as Y from 'yjs';
import { cutText, startOfCharacter } from '../../lib/text/cut-text.ts';
import { type BlockAnchor, MAX_CONTEXT_LENGTH, MAX_QUOTE_LENGTH, type TextAnchor } from '../../protocol/comments.ts';
import { blockWithId } from '../blocks/duplicate-moves.ts';
import { bodyParts } from '../body-parts.ts';
import { wordsOfBlock } from '../body/block-changes.ts';
import { parsePart } from '../body/parse-body.ts';
import { bodyOf } from '../names.ts';
import { PageTexts, type Passage, cleanText } from './page-texts.ts';
import { encodePosition, endAt, startAt } from './positions.ts';

/** For the words between two positions, in any order. Null if there are none: a comment is then about the block. */
export function textAnchor(doc: Y.Doc, from: Y.RelativePosition, to: Y.RelativePosition): TextAnchor | null {
  const page = new PageTexts(doc);
  const [one, other] = [boundaryOf(page, doc, from), boundaryOf(page, doc, to)];
  if (one === null || other === null) return null;
  const passage = page.passage(Math.min(one, other), Math.max(one, other));
  return passage === null || page.string.slice(passage.start, passage.end).trim() === ''
    ? null
    : anchorOf(page, passage);
}

export function anchorOf({ string }: PageTexts, { start, end, block, from, to }: Passage): TextAnchor {
  return {
    kind: 'text',
    from: encodePosition(startAt(from)),
    to: encodePosition(endAt(to)),
    block,
    quote: cutText(string.slice(start, end), MAX_QUOTE_LENGTH),
    before: string
      .slice(startOfCharacter(string, Math.max(0, start - MAX_CONTEXT_LENGTH)), start)
      .slice(-MAX_CONTEXT_LENGTH),
    after: cutText(string.slice(end), MAX_CONTEXT_LENGTH),
  };
}

/** Null if the page has no block with this id. */
export function blockAnchor(doc: Y.Doc, id: string): BlockAnchor | null {
  const body = bodyOf(doc);
  const element = blockWithId(body, id);
  const part = bodyParts(body).find((one) => one.element === element);
  if (element === null || part === undefined) return null;
  const block = parsePart(part);
  const words = wordsOfBlock(block);
  const name = words === '' && 'name' in block ? (block.name ?? '') : words;
  return { kind: 'block', block: id, quote: cutText(cleanText(name), MAX_QUOTE_LENGTH) };
}

/** The offset of a position in a text, or between the children of the body, a table or a row. */
function boundaryOf(page: PageTexts, doc: Y.Doc, position: Y.RelativePosition): number | null {
  const found = Y.createAbsolutePositionFromRelativePosition(position, doc);
  if (found === null) return null;
  const { type, index } = found;
  if (type instanceof Y.XmlText) return page.offsetOf({ text: type, index });
  if (!(type instanceof Y.XmlFragment)) return null;
  const before = new Set<unknown>(type.toArray().slice(0, index));
  const last = page.segments.findLast(({ text }) => isWithin(text, before));
  if (last !== undefined) return last.end;
  const first = page.segments.find(({ text }) => isWithin(text, new Set([type])));
  return first?.start ?? null;
}

function isWithin(text: Y.XmlText, nodes: ReadonlySet<unknown>): boolean {
  for (let node: unknown = text; node instanceof Y.AbstractType; node = node.parent) if (nodes.has(node)) return true;
  return false;
}
