// A small world of comments: people with devices, several tabs each, and one server. What the app does is the real code of
// `src/state`; the network loses calls and answers and repeats calls, rights come and go, tabs are killed. All by a seed.
import { atom, createStore } from 'jotai/vanilla';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { prng } from '../../../src/lib/prng.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { CommentChange } from '../../../src/ports/comments.ts';
import type { CommentId, ThreadId } from '../../../src/protocol/ids.ts';
import type { CommentsView, PageComments } from '../../../src/state/comments/page-comments.ts';
import { personComments } from '../../../src/state/comments/person-comments.ts';
import type { ShownComment, ShownThread } from '../../../src/state/comments/shown-threads.ts';
import { alice, bob, memoryListCache, userId } from '../../support/app/app-fixture.ts';
import {
  PAGE_ANCHOR,
  type CommentServer,
  memoryCommentQueue,
  memoryCommentServer,
  memoryComments,
  paragraph,
} from '../../support/app/memory-comments.ts';
import { noPictures } from '../../support/app/memory-files.ts';
import { PAGE, wordsOf } from './person-comments-fixture.ts';

type Person = typeof alice;
type Device = {
  readonly person: Person;
  readonly comments: Map<string, CommentChange>;
  readonly isBroken: boolean;
  readonly listCache: ReturnType<typeof memoryListCache>;
  tabs: Tab[];
  isOnline: boolean;
  /** In which the person wrote last. */
  lastTab: Tab | null;
};
type Tab = {
  readonly page: PageComments;
  /** Empty while the person may not read them. */
  readonly view: () => CommentsView;
  readonly noteChange: () => void;
  readonly refresh: () => void;
  readonly kill: () => void;
};

/** What a person meant with one comment. */
type Meant = {
  readonly by: Person;
  readonly device: Device;
  readonly thread: ThreadId;
  readonly tab: Tab;
  words: string;
  isRemoved: boolean;
  isDiscarded: boolean;
  /** The right to comment went before the removal arrived. */
  mayStay: boolean;
  wasRejected: boolean;
};

const STEPS = 60;
/** Calls and answers take up to this. */
const LATENCY_MS = 400;
/** In less no one goes to another tab and writes there. Longer than a call with its answer: of two edits on their way either may win. */
const CHANGES_TAB_MS = 1_000;
/** Until retries, other tabs and the list are through. */
const SETTLED_MS = 10 * 60_000;

export class CommentWorld {
  readonly clock = new SimClock();
  readonly random: () => number;
  readonly server: CommentServer = memoryCommentServer(() => this.clock.now());
  readonly meant = new Map<CommentId, Meant>();
  readonly devices: readonly Device[];
  /** Those that were killed too. */
  readonly allTabs: Tab[] = [];
  /** How often each thing happened. */
  readonly counts = new Map<string, number>();
  isCalm = false;
  #words = 0;

  constructor(seed: number) {
    this.random = prng(seed);
    this.devices = [alice, alice, bob].map((person) => ({
      person,
      comments: new Map(),
      isBroken: false,
      listCache: memoryListCache(),
      tabs: [],
      isOnline: true,
      lastTab: null,
    }));
    for (const device of this.devices) openTab(this, device);
  }

  below = (limit: number) => Math.floor(this.random() * limit);
  pick = <T>(list: readonly T[]): T | undefined => list[this.below(list.length)];

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  async run(): Promise<void> {
    await this.clock.run(1_000);
    for (let step = 0; step < STEPS; step++) {
      await this.#step();
      await this.clock.run(this.random() < 0.5 ? this.below(60) : this.below(5_000));
    }
    this.isCalm = true;
    for (const device of this.devices) {
      this.server.state.roles.delete(device.person.id);
      device.isOnline = true;
    }
    await this.clock.run(SETTLED_MS);
    for (const tab of this.#tabs()) tab.page.refresh();
    await this.clock.run(10_000);
  }

  #tabs = () => this.devices.flatMap(({ tabs }) => tabs);

  /** What someone else's list would say: the words of each comment, in order, by thread. */
  stored = (): ReadonlyMap<ThreadId, readonly { readonly id: CommentId; readonly words: string | null }[]> =>
    new Map(
      this.server
        .callsOf(userId(3))
        .list(PAGE, 0)
        .threads.flatMap((one) =>
          'removed' in one
            ? []
            : [[one.id, one.comments.map(({ id, body }) => ({ id, words: wordsOf(body) }))] as const],
        ),
    );

  async #step(): Promise<void> {
    const device = this.pick(this.devices);
    const tab = device && this.pick(device.tabs);
    if (device === undefined || tab === undefined) return;
    const what = this.random();
    if (what < 0.12) device.isOnline = !device.isOnline;
    else if (what < 0.2) this.#changeRole(device.person);
    else if (what < 0.24) {
      if (device.tabs.length < 2) openTab(this, device);
      else tab.kill();
    } else if (what < 0.28) {
      tab.kill();
      openTab(this, device);
      this.count('a tab killed');
    } else {
      if (device.lastTab !== tab) await this.clock.run(CHANGES_TAB_MS);
      device.lastTab = tab;
      this.#write(device, tab, this.random());
    }
  }

  #changeRole(person: Person): void {
    const { roles } = this.server.state;
    if (roles.has(person.id)) roles.delete(person.id);
    else {
      roles.set(person.id, 'viewer');
      for (const meant of this.meant.values()) meant.mayStay ||= meant.by === person && meant.isRemoved;
      this.count('a right revoked');
    }
  }

  #write(device: Device, tab: Tab, what: number): void {
    const { threads, phase } = tab.view();
    if (phase === 'hidden') return;
    // Often in the newest one, so that several replies wait.
    const thread = this.random() < 0.6 ? threads.at(-1) : this.pick(threads);
    const own = threads.flatMap(({ comments }) =>
      comments.filter(({ id, body }) => body !== null && this.meant.get(id)?.device === device),
    );
    const mine = this.pick(own);
    const refused = this.pick(own.filter(({ state }) => state === 'refused'));
    const words = `words ${++this.#words}`;
    if (what < 0.3 || thread === undefined) {
      const id = tab.page.start(PAGE_ANCHOR, paragraph(words));
      this.#note(
        device,
        tab,
        tab.view().threads.find((one) => one.id === id),
        words,
      );
    } else if (what < 0.55) {
      tab.page.reply(thread.id, paragraph(words));
      this.#note(
        device,
        tab,
        tab.view().threads.find(({ id }) => id === thread.id),
        words,
      );
    } else if (what < 0.75 && mine !== undefined) {
      tab.page.edit(mine.id, paragraph(words));
      this.#meantOf(mine).words = words;
      this.count(mine.state === 'saved' ? 'an edit' : 'an edit of words that wait');
    } else if (what < 0.85 && mine !== undefined) {
      tab.page.remove(mine.id);
      const meant = this.#meantOf(mine);
      meant.isRemoved = true;
      meant.mayStay = this.server.state.roles.has(device.person.id);
    } else if (what < 0.9) tab.page.resolve(thread.id, thread.resolved === null);
    else if (what < 0.95 && mine !== undefined) tab.page.react(mine.id, '👍', this.random() < 0.5);
    else if (refused !== undefined) {
      const before = waitingWords(device);
      tab.page.discard(refused.id);
      const left = waitingWords(device);
      for (const [id, discarded] of before) {
        const meant = this.meant.get(id);
        if (meant === undefined || left.get(id) === discarded) continue;
        // An edit may be discarded, and the words before it stay: those on their way, or on the server.
        const there = Array.from(this.stored().values()).flat();
        meant.words = left.get(id) ?? there.find((one) => one.id === id)?.words ?? meant.words;
        meant.isDiscarded = !left.has(id) && there.every((one) => one.id !== id);
      }
      this.count('rejected words discarded');
    }
  }

  #meantOf = ({ id }: ShownComment): Meant => {
    const meant = this.meant.get(id);
    if (meant === undefined) throw new Error('no one wrote this comment');
    return meant;
  };

  #note(device: Device, tab: Tab, thread: ShownThread | undefined, words: string): void {
    const written = thread?.comments.find(({ body }) => wordsOf(body) === words);
    if (thread === undefined || written === undefined) throw new Error('a comment is not shown');
    this.meant.set(written.id, {
      by: device.person,
      device,
      tab,
      thread: thread.id,
      words,
      isRemoved: false,
      isDiscarded: false,
      mayStay: false,
      wasRejected: false,
    });
    if (!device.isOnline) this.count('written offline');
  }
}

/** The last words of each comment that wait. */
const waitingWords = ({ comments }: Device): ReadonlyMap<CommentId, string | null> =>
  new Map(
    Array.from(comments.values())
      .toSorted((a, b) => a.madeAt - b.madeAt)
      .flatMap((change) => ('body' in change ? [[change.comment, wordsOf(change.body)] as const] : [])),
  );

function openTab(world: CommentWorld, device: Device): void {
  const { clock } = world;
  const { person } = device;
  const store = createStore();
  let isAlive = true;
  const timing = {
    now: () => clock.now(),
    random: world.random,
    after: (ms: number, run: () => void) => clock.after(ms, () => isAlive && run()),
  };
  const wait = (ms: number) => new Promise<void>((done) => clock.after(ms, done));

  const answer = async <T>(name: string, run: () => T): Promise<Result<T, ReturnType<typeof weftError>>> => {
    const [there, back] = [world.below(LATENCY_MS), world.below(LATENCY_MS)];
    const fate = world.isCalm ? 1 : world.random();
    const { isOnline } = device;
    await wait(there);
    // The tab of the call was killed before it left, or the network lost it.
    if (!isOnline || fate < 0.05) return late(back, err(weftError('WF011')));
    const answered = ok(run());
    if (fate < 0.15) {
      world.count('a repeated call');
      run();
    }
    if (name !== 'listComments') tell();
    if (fate < 0.5 || !device.isOnline) {
      world.count('a lost answer');
      return late(back, err(weftError('WF011')));
    }
    return late(back, answered);
  };
  /** A killed tab never sees it. */
  const late = async <T>(ms: number, value: T): Promise<T> => {
    await wait(ms);
    return isAlive ? value : new Promise<T>(() => undefined);
  };
  const tell = () => {
    for (const other of world.devices)
      for (const tab of other.tabs)
        if (other.isOnline && (world.isCalm || world.random() < 0.8)) clock.after(world.below(100), tab.noteChange);
  };
  const queue = memoryCommentQueue(device);

  const ofPerson = personComments({
    me: person.id,
    store,
    comments: memoryComments(world.server, person.id, answer),
    // A killed tab stores nothing more.
    queue: {
      ...queue,
      async put(change, replaced) {
        if (!isAlive) return;
        const meant = 'body' in change && change.refused !== null ? world.meant.get(change.comment) : undefined;
        if (meant !== undefined) meant.wasRejected = true;
        await queue.put(change, replaced);
      },
      remove: async (key) => (isAlive ? queue.remove(key) : undefined),
    },
    listCache: device.listCache,
    timing,
    ensureLoaded: () => undefined,
    ensureCreated: async () => ok(null),
    pendingPagesAtom: atom(new Map()),
    ...noPictures(),
    onChanged: () => device.tabs.forEach((one) => one !== tab && clock.after(world.below(50), one.refresh)),
  });
  const page = ofPerson.ofPage({
    documentId: PAGE,
    phaseAtom: atom('ready' as const),
    roleAtom: atom('commenter' as const),
    peersAtom: atom([]),
    isAccessLostAtom: atom(false),
    isRestoringAtom: atom(false),
    pendingAtom: atom(null),
  });
  store.sub(page.viewAtom, () => undefined);
  const tab: Tab = {
    page,
    view: () => store.get(page.viewAtom),
    noteChange: () =>
      void (isAlive && ofPerson.noteChange({ kind: 'comment', op: 'changed', id: PAGE, workspace: null })),
    refresh: () => void (isAlive && ofPerson.refresh()),
    kill() {
      isAlive = false;
      device.tabs = device.tabs.filter((one) => one !== tab);
      ofPerson.close();
    },
  };
  device.tabs.push(tab);
  world.allTabs.push(tab);
}
