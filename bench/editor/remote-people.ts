// Other people on the page: real sessions in this process that type or move their carets.
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { prng } from '../../src/lib/prng.ts';
import type { OpenedDocument } from '../systems/system.ts';
import { typeEvery } from '../typing.ts';

const WORDS = 'weft and warp meet in the cloth ';

/** Types at the end of a block, with the caret behind the last character, until `signal` aborts. */
export async function typeInBlock(
  person: OpenedDocument,
  block: number,
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  const text = textOf(person.doc, block);
  let typed = 0;
  await typeEvery(everyMs, Number.POSITIVE_INFINITY, () => {
    signal.throwIfAborted();
    text.insert(text.length, WORDS.charAt(typed++ % WORDS.length));
    putCaret(person, text, text.length, text.length);
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Moves the caret through some blocks until `signal` aborts: steps, jumps, and sometimes a selection. */
export async function moveCaret(
  person: OpenedDocument,
  blocks: readonly number[],
  everyMs: number,
  signal: AbortSignal,
): Promise<void> {
  const random = prng(person.doc.clientID % 1_000_003);
  const pick = () => textOf(person.doc, blocks[Math.floor(random() * blocks.length)] ?? 0);
  let text = pick();
  let at = 0;
  await typeEvery(everyMs, Number.POSITIVE_INFINITY, () => {
    signal.throwIfAborted();
    if (random() < 0.1) text = pick();
    at = random() < 0.2 ? Math.floor(random() * text.length) : Math.min(at + 1, text.length);
    putCaret(person, text, random() < 0.15 ? Math.max(0, at - 20) : at, at);
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** The first text in a block. */
export function textOf(doc: Y.Doc, block: number): Y.XmlText {
  let node: unknown = bodyOf(doc).get(block);
  while (node instanceof Y.XmlElement) node = node.get(0);
  if (node instanceof Y.XmlText) return node;
  throw new Error(`no text in block ${block}`);
}

function putCaret({ awareness }: OpenedDocument, text: Y.XmlText, anchor: number, head: number): void {
  const position = (at: number): unknown =>
    Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, at, -1));
  awareness.setLocalStateField('cursor', { anchor: position(anchor), head: position(head) });
}
