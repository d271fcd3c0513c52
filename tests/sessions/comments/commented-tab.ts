// A tab with a page and its comments: the real session, the random edits of its person, and where its threads are, as the editor
// asks for it. When the session replaces the document, everything begins again with the new one.
import { moveBlocks } from 'weft-document/blocks/move-blocks.ts';
import { AnchorIndex, type MovedAnchor } from 'weft-document/comments/anchor-index.ts';
import { type PageFile, fileOfPage } from 'weft-document/formats/page-json.ts';
import { restorationsOf } from 'weft-document/history/restorations.ts';
import { bodyOf } from 'weft-document/names.ts';
import { createUndo } from 'weft-document/undo.ts';
import * as Y from 'yjs';
import type { TestTab, TestUser } from '../../sync/sync-harness.ts';
import { tagged, textAt } from './tagged-page.ts';
import type { Thread, Threads } from './threads.ts';

const ORIGIN = {};
const MIN_BLOCKS = 3;
/** Of the others' reports, a tab sends one that is still due. */
const REPORTS_FOR_OTHERS = 0.2;

export type Letters = { readonly letter: () => string; readonly tag: () => number };
/** `typing`: no character is ever inserted again. */
export type Kind = 'typing' | 'moving';

export class CommentedTab {
  readonly user: TestUser;
  readonly tab: TestTab;
  /** As the tab knows them. */
  threads: Threads['all'] = [];
  /** New threads that wait for the server. */
  readonly waiting: Thread[] = [];
  isOnline = true;
  #doc: Y.Doc | null = null;
  #history = 0;
  #undo: Y.UndoManager | null = null;
  #index: AnchorIndex | null = null;
  #reports: (MovedAnchor & { readonly history: number })[] = [];
  #version: PageFile | null = null;
  readonly #server: Threads;
  readonly #below: (limit: number) => number;

  constructor(user: TestUser, server: Threads, below: (limit: number) => number) {
    this.user = user;
    this.tab = user.open();
    this.#server = server;
    this.threads = server.all;
    this.#below = below;
    this.tab.session.subscribe(() => this.#follow());
    this.#follow();
  }

  get doc(): Y.Doc {
    return this.tab.session.doc;
  }

  get isReady(): boolean {
    return this.tab.view.phase === 'ready';
  }

  /** Null before the page is shown. */
  index(): AnchorIndex | null {
    this.#follow();
    this.#index?.update();
    return this.#index;
  }

  /** Sends what waits, and takes the comments as they are now. */
  exchange(isLast = false): void {
    if (!this.isOnline) return;
    for (const thread of this.waiting.splice(0)) this.#server.add(thread);
    for (const report of this.#reports.splice(0))
      if (report.isOwn || isLast || this.#below(100) < REPORTS_FOR_OTHERS * 100)
        this.#server.move(report, report.history);
    this.threads = this.#server.all;
    this.#show();
  }

  begin(thread: Thread): void {
    this.waiting.push(thread);
    this.#show();
  }

  goOffline(): void {
    this.isOnline = false;
    this.tab.goOffline();
  }

  goOnline(): void {
    this.isOnline = true;
    this.tab.goOnline();
  }

  edit(kind: Kind, letters: Letters): void {
    if (!this.isReady || !this.tab.view.editable) return;
    const body = bodyOf(this.doc);
    const at = this.#below(body.length);
    const text = textAt(this.doc, at);
    const what = this.#below(kind === 'typing' ? 8 : 16);
    if (what < 3) this.#type(text, letters);
    else if (what < 7) this.#delete(text);
    else if (what === 7) this.#act(() => body.length > MIN_BLOCKS && body.delete(at, 1));
    else if (what < 10) moveBlocks(this.doc, { from: at, count: 1 }, this.#below(body.length + 1), [null], ORIGIN);
    else if (what === 10) this.#split(text, at, letters);
    else if (what === 11) this.#join(text, textAt(this.doc, at - 1), at);
    else if (what === 12) this.#undo?.undo();
    else if (what === 13) this.#undo?.redo();
    else if (what === 14) this.#version = fileOfPage(this.doc, null);
    else if (this.#version !== null) restorationsOf(this.doc).page(this.#version);
  }

  /** Writes these letters as other characters. */
  write(letters: string, { tag }: Letters): void {
    const text = textAt(this.doc, this.#below(bodyOf(this.doc).length));
    if (!this.isReady || !this.tab.view.editable || text === null) return;
    const at = this.#below(text.length + 1);
    this.#act(() => Array.from(letters, (letter, n) => text.insert(at + n, letter, tagged(tag()))));
  }

  #follow(): void {
    if (!this.isReady || this.#doc === this.doc) return;
    this.#index?.destroy();
    const { doc } = this;
    const { historyBeganAt: history } = this.tab.session;
    const isErased = this.#doc !== null && history !== this.#history;
    this.#history = history;
    this.#doc = doc;
    this.#undo = createUndo(doc, ORIGIN);
    this.#undo.captureTimeout = 0;
    this.#reports = [];
    this.#index = new AnchorIndex(doc, (moved) => this.#reports.push({ ...moved, history }));
    // The page asks for its comments anew. After a restore of the server this test does it later.
    if (isErased) this.exchange();
    else this.#show();
  }

  #show(): void {
    this.#index?.set([...this.threads, ...this.waiting]);
  }

  #act(run: () => void): void {
    this.doc.transact(run, ORIGIN);
  }

  #type(text: Y.XmlText | null, { letter, tag }: Letters): void {
    if (text === null) return;
    const at = this.#below(text.length + 1);
    const length = 1 + this.#below(3);
    this.#act(() => {
      for (let n = 0; n < length; n++) text.insert(at + n, letter(), tagged(tag()));
    });
  }

  #delete(text: Y.XmlText | null): void {
    if (text === null || text.length === 0) return;
    const at = this.#below(text.length);
    this.#act(() => text.delete(at, 1 + this.#below(Math.min(4, text.length - at))));
  }

  /** As the editor writes it. */
  #split(text: Y.XmlText | null, at: number, { tag }: Letters): void {
    if (text === null || text.length < 2) return;
    const index = 1 + this.#below(text.length - 1);
    const rest = after(text.toDelta(), index);
    this.#act(() => {
      const block = new Y.XmlElement('block');
      block.setAttribute('id', `split-${tag()}`);
      block.setAttribute('kind', 'paragraph');
      const half = new Y.XmlText();
      half.applyDelta([...rest]);
      block.insert(0, [half]);
      text.delete(index, text.length - index);
      bodyOf(this.doc).insert(at + 1, [block]);
    });
  }

  #join(text: Y.XmlText | null, before: Y.XmlText | null, at: number): void {
    if (text === null || before === null || bodyOf(this.doc).length <= MIN_BLOCKS) return;
    const delta: object[] = text.toDelta();
    this.#act(() => {
      before.applyDelta([...(before.length > 0 ? [{ retain: before.length }] : []), ...delta]);
      bodyOf(this.doc).delete(at, 1);
    });
  }
}

function after(delta: readonly { insert: string }[], index: number): readonly object[] {
  let at = 0;
  return delta.flatMap((piece) => {
    const insert = piece.insert.slice(Math.max(0, index - at));
    at += piece.insert.length;
    return insert === '' ? [] : [{ ...piece, insert }];
  });
}
