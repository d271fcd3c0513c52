// Random edits: formatted text, a map, an XML tree, and the blocks of a page. Most are in the same first characters, so that
// edits build on each other before any of them is a row.
import { KINDS as BLOCK_KINDS } from 'weft-document/blocks/block.ts';
import { BLOCK, bodyOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import * as Y from 'yjs';
import type { Coverage } from '../checks/coverage.ts';
import { mapOf, notesOf, textOf } from '../checks/document-content.ts';

const WORDS = ['a', 'b', 'warp', 'weft', ' ', 'selvedge'];
const MAP_KEYS = ['k', 'k', 'k', 'l', 'm'];
const MARKS = ['bold', 'italic'];

export class RandomTyping {
  readonly #random: () => number;
  readonly #coverage: Coverage;
  readonly #undoManagers = new WeakMap<Y.Doc, Y.UndoManager>();

  constructor(random: () => number, coverage: Coverage) {
    this.#random = random;
    this.#coverage = coverage;
  }

  /** Makes one edit in one transaction, so that there is at most one update. */
  type(doc: Y.Doc): void {
    const undo = this.#undoOf(doc);
    const kind = this.#random();
    if (kind < 0.02 && undo.undoStack.length > 0) {
      this.#coverage.count('undo');
      undo.undo();
      return;
    }
    // Undo reverts single edits. By itself it would join them, because no time passes between them.
    undo.stopCapturing();
    doc.transact(() => {
      if (kind < 0.45) this.#inText(textOf(doc));
      else if (kind < 0.55) this.#inMap(mapOf(doc));
      else if (kind < 0.63) this.#inNotes(notesOf(doc));
      else this.#inBody(bodyOf(doc));
    });
  }

  #undoOf(doc: Y.Doc): Y.UndoManager {
    const known = this.#undoManagers.get(doc);
    if (known !== undefined) return known;
    const undo = new Y.UndoManager([textOf(doc), bodyOf(doc)], { trackedOrigins: new Set([null]) });
    this.#undoManagers.set(doc, undo);
    return undo;
  }

  #inText(text: Y.Text): void {
    // The hot spot is the first six characters, where most people type.
    const isHot = this.#random() < 0.6;
    const length = isHot ? Math.min(text.length, 6) : text.length;
    const at = Math.floor(this.#random() * (length + 1));
    if (isHot) this.#coverage.count('edit in the hot spot');
    const kind = this.#random();
    if (kind < 0.6 || text.length === 0) {
      text.insert(at, this.#one(WORDS));
    } else if (kind < 0.85) {
      this.#coverage.count('edit that only deletes');
      const from = Math.min(at, text.length - 1);
      text.delete(from, Math.min(1 + Math.floor(this.#random() * 4), text.length - from));
    } else {
      const from = Math.min(at, text.length - 1);
      const mark = { [this.#one(MARKS)]: this.#random() < 0.7 || null };
      text.format(from, Math.min(1 + Math.floor(this.#random() * 3), text.length - from), mark);
    }
  }

  #inMap(map: Y.Map<unknown>): void {
    this.#coverage.count('map key set or deleted');
    const key = this.#one(MAP_KEYS);
    if (this.#random() < 0.25) map.delete(key);
    else map.set(key, Math.floor(this.#random() * 1000));
  }

  #inNotes(notes: Y.XmlFragment): void {
    const at = Math.floor(this.#random() * (notes.length + 1));
    if (notes.length > 0 && this.#random() < 0.35) notes.delete(Math.min(at, notes.length - 1), 1);
    else notes.insert(at, [this.#random() < 0.5 ? new Y.XmlText('note') : new Y.XmlElement('note')]);
  }

  #inBody(body: Y.XmlFragment): void {
    this.#coverage.count('block edit');
    const at = Math.floor(this.#random() * Math.min(body.length, 4));
    const block = body.get(at);
    const kind = this.#random();
    if (!(block instanceof Y.XmlElement) || kind < 0.12) {
      body.insert(at, [this.#newBlock(this.#one(WORDS))]);
    } else if (kind < 0.2) {
      body.delete(at, 1);
    } else if (kind < 0.35) {
      if (this.#random() < 0.5) setAttribute(block, 'kind', this.#one(BLOCK_KINDS));
      else setAttribute(block, 'checked', this.#random() < 0.5);
    } else {
      const text = block.get(0);
      if (text instanceof Y.XmlText) this.#inBlock(body, at, text, this.#random());
    }
  }

  #inBlock(body: Y.XmlFragment, at: number, text: Y.XmlText, kind: number): void {
    if (kind < 0.85) {
      this.#inText(text);
      return;
    }
    // Enter in the middle of a line: the rest moves into a new block, in the same transaction.
    const cut = Math.floor(this.#random() * (text.length + 1));
    const rest = charactersOf(text).slice(cut);
    if (cut < text.length) text.delete(cut, text.length - cut);
    body.insert(at + 1, [this.#newBlock(rest)]);
  }

  #newBlock(words: string): Y.XmlElement {
    const block = new Y.XmlElement(BLOCK);
    setAttribute(block, 'id', `b${Math.floor(this.#random() * 2 ** 32).toString(32)}`);
    setAttribute(block, 'kind', this.#one(BLOCK_KINDS));
    const text = new Y.XmlText();
    if (words !== '') text.insert(0, words);
    block.insert(0, [text]);
    return block;
  }

  #one<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.#random() * choices.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }
}

/** The characters without their marks, which `toString` would write as tags. */
function charactersOf(text: Y.XmlText): string {
  const delta: readonly { readonly insert?: unknown }[] = text.toDelta();
  return delta.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('');
}
