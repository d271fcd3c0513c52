// Three sessions on one page with comments, and a server on which the page is compacted, loses rows in a restore, and has words
// erased for good, all from one seed. Says which threads were found at other characters than their own.
import { findAnchor } from 'weft-document/comments/find-anchor.ts';
import type { FoundAnchor } from 'weft-document/comments/found-anchor.ts';
import { textAnchor } from 'weft-document/comments/make-anchor.ts';
import { endAt, startAt } from 'weft-document/comments/positions.ts';
import { erasedPage } from 'weft-document/history/erased-page.ts';
import { compactRows } from 'weft-sync/log/compact-rows.ts';
import { emptyLog } from 'weft-sync/recovery/replay-log.ts';
import { snapshotMaker } from 'weft-sync/snapshot/snapshot-maker.ts';
import type * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';
import type { TextAnchor } from '../../../src/protocol/comments.ts';
import type { ThreadId } from '../../../src/protocol/ids.ts';
import { SIM_CODEC } from '../../sim/world/sim-codec.ts';
import { threadId } from '../../support/editor/anchored-page.ts';
import { DOCUMENT, SyncHarness } from '../../sync/sync-harness.ts';
import { CommentedTab, type Kind } from './commented-tab.ts';
import {
  charactersAt,
  charactersBetween,
  charactersIn,
  charactersOn,
  deletedAround,
  taggedPage,
  textsOf,
} from './tagged-page.ts';
import { Threads } from './threads.ts';

const LINES = [9, 6, 12, 5];
const MAX_THREADS = 4;
const SETTLED_MS = 150_000;

type Begun = {
  readonly first: string;
  readonly last: string;
  readonly letters: string;
  readonly original: ReadonlySet<number>;
  /** And what was moved or written between them. */
  readonly own: Set<number>;
};

export type WorldOptions = {
  readonly kind: Kind;
  readonly letterOf: (n: number) => string;
};

export class CommentedWorld {
  readonly wrong: string[] = [];
  /** How often something happened. */
  readonly counts = {
    checks: 0,
    missed: 0,
    rebuilds: 0,
    erased: 0,
    wentBack: 0,
    compacted: 0,
    reopened: 0,
    writtenAgain: 0,
  };
  readonly #kind: Kind;
  readonly #harness: SyncHarness;
  readonly #threads = new Threads();
  readonly #begun = new Map<ThreadId, Begun>();
  /** The threads whose words were erased. */
  readonly #erased: Begun[] = [];
  /** The tags of all characters that were ever shown. */
  readonly #tagOf = new Map<string, number>();
  readonly #tabs: CommentedTab[];
  readonly #below: (limit: number) => number;
  readonly #letters;
  #now = '';

  constructor(seed: number, { kind, letterOf }: WorldOptions) {
    const random = prng(seed);
    this.#kind = kind;
    this.#below = (limit) => Math.floor(random() * limit);
    let [count, tags] = [0, 0];
    this.#letters = { letter: () => letterOf(count++), tag: () => tags++ };
    this.#harness = new SyncHarness(seed, { liveUpdates: seed % 4 !== 0 });
    this.#harness.maker = snapshotMaker(SIM_CODEC);
    const { letter, tag } = this.#letters;
    const lines = LINES.map((length) => Array.from({ length }, () => ({ letter: letter(), tag: tag() })));
    this.#harness.server.createDocument(DOCUMENT, new Uint8Array(taggedPage(lines)));
    this.#tabs = ['alice', 'bob', 'carol'].map((name) => this.#open(this.#harness.user(name)));
  }

  async run(steps: number): Promise<void> {
    await this.#harness.run(100);
    for (let step = 0; step < steps; step++) {
      this.#now = `step ${step}`;
      await this.#step();
      this.#look();
    }
    this.#now = 'at the end';
    for (const tab of this.#tabs) if (!tab.isOnline) tab.goOnline();
    await this.#harness.run(SETTLED_MS);
    for (const isLast of [true, false]) for (const tab of this.#tabs) tab.exchange(isLast);
    this.#look();
    const pages = this.#tabs.map(({ doc }) => JSON.stringify(charactersOn(doc).map(({ id, tag }) => [id, tag])));
    if (new Set(pages).size !== 1) this.wrong.push('the pages differ at the end');
    for (const { tab } of this.#tabs) this.counts.rebuilds += tab.view.rebuilds;
    await Promise.all(this.#tabs.map(({ tab }) => tab.session.close()));
  }

  async #step(): Promise<void> {
    const tab = this.#tabs[this.#below(this.#tabs.length)];
    if (tab === undefined) return;
    const what = this.#below(40);
    if (what < 16) tab.edit(this.#kind, this.#letters);
    else if (what < 19) this.#comment(tab);
    else if (what < 23) tab.exchange();
    else if (what < 28) await this.#harness.run(this.#below(what === 27 ? 20_000 : 600));
    else if (what === 28) this.#switch(tab);
    else if (what === 29) this.#compact();
    else if (what < 32) await this.#erase();
    else if (what < 34) this.#goBack();
    else if (what < 36) await this.#reopen(tab);
    else this.#writeAgain(tab);
    this.#threads.note(this.#head);
  }

  get #head(): number {
    return this.#harness.server.rows(DOCUMENT).at(-1)?.seq ?? 0;
  }

  #open(user: CommentedTab['user']): CommentedTab {
    return new CommentedTab(user, this.#threads, this.#below);
  }

  #switch(tab: CommentedTab): void {
    if (tab.isOnline) tab.goOffline();
    else tab.goOnline();
  }

  #comment(tab: CommentedTab): void {
    if (this.#begun.size >= MAX_THREADS || !tab.isReady) return;
    const text = textsOf(tab.doc)[this.#below(textsOf(tab.doc).length)];
    const all = text === undefined ? [] : charactersIn(text);
    const from = this.#below(Math.max(1, all.length - 4));
    const chosen = all.slice(from, from + 4 + this.#below(4));
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (text === undefined || first === undefined || last === undefined || chosen.length < 4) return;
    const anchor = textAnchor(tab.doc, startAt({ text, index: first.index }), endAt({ text, index: last.index + 1 }));
    if (anchor === null) return;
    const id = threadId(this.#begun.size + 1);
    const original = new Set(chosen.map((one) => one.tag));
    this.#begun.set(id, { first: first.id, last: last.id, letters: anchor.quote, original, own: new Set(original) });
    tab.begin({ id, anchor, history: tab.tab.session.historyBeganAt });
    if (this.#below(3) > 0) tab.exchange();
  }

  #compact(): void {
    const { server } = this.#harness;
    const all = { before: Infinity, kept: new Set<number>(), ends: new Set<number>(), until: Infinity };
    for (const run of compactRows(server.rows(DOCUMENT), all)) {
      server.compact(DOCUMENT, run);
      this.counts.compacted += 1;
    }
  }

  /** The words of a thread, or some others. */
  async #erase(): Promise<void> {
    const { server } = this.#harness;
    const head = server.prepareErasing(DOCUMENT);
    await this.#harness.run(this.#below(300));
    const { doc, replica } = emptyLog();
    replica.take(server.rows(DOCUMENT));
    const all = charactersOn(doc);
    const begun = [...this.#begun.values()][this.#below(MAX_THREADS)];
    const at = this.#below(Math.max(1, all.length - 5));
    const chosen = begun === undefined ? all.slice(at, at + 5) : all.filter(({ tag }) => begun.own.has(tag));
    if (chosen.length === 0) return;
    const ranges = chosen.map(({ id }): [number, number, number] => {
      const [client = 0, clock = 0] = id.split(':').map(Number);
      return [client, clock, 1];
    });
    if (!server.eraseHistory(DOCUMENT, head, erasedPage(doc, ranges).update)) return;
    this.#threads.eraseQuotes(server.rows(DOCUMENT)[0]?.at ?? 0);
    if (begun !== undefined) this.#erased.push(begun);
    this.counts.erased += 1;
  }

  /** At most to the row with which the history began. */
  #goBack(): void {
    const rows = this.#harness.server.rows(DOCUMENT);
    const seq = rows[this.#below(rows.length)]?.seq ?? this.#head;
    if (seq === this.#head) return;
    this.#harness.server.goBack(DOCUMENT, seq);
    this.#threads.goBack(seq);
    this.counts.wentBack += 1;
  }

  async #reopen(tab: CommentedTab): Promise<void> {
    if (!tab.isOnline) return;
    this.counts.rebuilds += tab.tab.view.rebuilds;
    if (this.#below(2) === 0) tab.tab.die();
    else {
      const closing = tab.tab.session.close();
      await this.#harness.run(100);
      await closing;
    }
    tab.exchange();
    this.#tabs[this.#tabs.indexOf(tab)] = this.#open(tab.user);
    await this.#harness.run(200);
    this.counts.reopened += 1;
  }

  /** Erased words as others. Words that were only deleted may be cut and pasted. */
  #writeAgain(tab: CommentedTab): void {
    const begun = this.#erased[this.#below(this.#erased.length)];
    if (begun === undefined || tab.tab.session.historyBeganAt !== this.#threads.history) return;
    tab.write(begun.letters, this.#letters);
    this.counts.writtenAgain += 1;
  }

  // ── what must hold ─────────────────────────────────────────────────────────────────────────────────────────────

  #look(): void {
    for (const tab of this.#tabs) {
      const index = tab.index();
      if (index === null) continue;
      for (const { id, tag } of charactersOn(tab.doc)) this.#tagOf.set(id, tag);
      for (const { id, anchor } of [...tab.threads, ...tab.waiting]) {
        this.#check(tab, id, anchor, 'opening now', findAnchor(tab.doc, anchor));
        this.#check(tab, id, anchor, 'following', index.get(id));
      }
    }
  }

  #check(tab: CommentedTab, id: ThreadId, anchor: TextAnchor, how: string, found: FoundAnchor): void {
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.counts.checks += 1;
    const there = charactersAt(tab.doc, found);
    const wrong = this.#kind === 'typing' ? this.#notExact(tab.doc, begun, there) : this.#notOwn(tab.doc, begun, there);
    // Without a quote they are not found where they were moved to.
    if (anchor.quote !== '' && there === null && charactersOn(tab.doc).some((one) => begun.original.has(one.tag)))
      this.counts.missed += 1;
    if (wrong === null) return;
    const where = there === null ? 'gone' : `at ${there.map(({ tag }) => tag).join(' ')}`;
    const what = `${[...begun.original].join(' ')} (“${anchor.quote}”)`;
    this.wrong.push(`${this.#now}, ${tab.user.name}, thread ${id.slice(-1)} on ${what}, ${how}: ${where}, ${wrong}`);
  }

  /**
   * All of its characters that are there, and no other but those that were written between them. Those may be left out at the ends,
   * where the words beside them are gone.
   */
  #notExact(doc: Y.Doc, { first, last, own, original }: Begun, there: ReturnType<typeof charactersAt>): string | null {
    const between = charactersBetween(doc, first, last);
    const found = new Set(there?.map(({ id }) => id));
    if (between === null) {
      // A row has not arrived, or is to be put back.
      return there?.every(({ tag }) => own.has(tag)) === false ? 'others although not all have arrived' : null;
    }
    const all = charactersOn(doc);
    for (const { id, tag } of all) if (between.includes(id)) own.add(tag);
    const missing = all.filter(({ id, tag }) => original.has(tag) && !found.has(id)).map(({ tag }) => tag);
    if (missing.length > 0) return `without ${missing.join(' ')}`;
    return there?.every(({ id }) => between.includes(id)) === false ? 'others too' : null;
  }

  /** Some of the characters, or what was moved between some that are gone. In doubt nothing is found. */
  #notOwn(doc: Y.Doc, begun: Begun, there: ReturnType<typeof charactersAt>): string | null {
    const { first, last, original, own } = begun;
    const between = charactersBetween(doc, first, last) ?? [];
    for (const { id, tag } of charactersOn(doc)) if (between.includes(id)) own.add(tag);
    const [start, end] = [there?.[0], there?.at(-1)];
    if (there === null || start === undefined || end === undefined) return null;
    const isOwn = (id: string) => original.has(this.#tagOf.get(id) ?? -1);
    const isBetween = () => deletedAround(doc, start.id, end.id).every((side) => side.some(isOwn));
    if (!there.some(({ tag }) => own.has(tag)) && !isBetween()) return 'none of its own';
    for (const { tag } of there) own.add(tag);
    return null;
  }
}
