// @vitest-environment happy-dom
// One session per open page, whatever React, the router and the person do, over real sessions and the memory server.
import { act, cleanup, render } from '@testing-library/react';
import { atom, createStore } from 'jotai/vanilla';
import { StrictMode } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import type { MemoryLink } from 'weft-sync/testing/memory-hub.ts';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { refCounted } from '../../../src/lib/async/ref-counted.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { useLease } from '../../../src/state/hooks.ts';
import { type OpenPage, openPage } from '../../../src/state/page/open-page.ts';
import { documentId, userId } from '../../support/app/app-fixture.ts';
import { noFiles } from '../../support/app/memory-files.ts';

const PAGE = documentId(1);
const OTHER = documentId(2);
const LINGER_MS = 2_000;
/** How long a call takes, each way. */
const TRAVEL_MS = 20;

afterEach(cleanup);

/** The registry of `person-state.ts`, over the sessions of one tab. */
class PageFixture {
  readonly clock = new SimClock();
  readonly server = new MemoryServer(this.clock, SCHEMA_VERSION);
  readonly store = new MemoryStore();
  readonly locks = new MemoryLocks();
  readonly environment = new MemoryEnvironment();
  readonly sessions: Session[] = [];
  readonly links: MemoryLink[] = [];
  /** Appends wait for this before they reach the server. */
  blocked: Promise<void> | null = null;
  readonly #tab = this.locks.tab();
  readonly #jotai = createStore();

  constructor() {
    for (const page of [PAGE, OTHER]) {
      this.server.createDocument(page);
      // Raised beforehand: moving the topic at the first edit is not tested here.
      this.server.setSchemaVersion(page, SCHEMA_VERSION);
      this.server.setRole(page, userId(1), 'editor');
    }
  }

  readonly pages = refCounted<DocumentId, OpenPage>({
    open: (id, closing) =>
      openPage({
        documentId: id,
        store: this.#jotai,
        timing: { now: () => this.clock.now(), after: (ms, run) => this.clock.after(ms, run) },
        open: async () => {
          await closing;
          return this.#open(id);
        },
        pendingAtom: atom(null),
        files: noFiles,
        waitingFilesAtom: atom(null),
        personCommentsAtom: atom(null),
        waitingCommentsAtom: atom(null),
        onUnsentChanged: () => undefined,
        onRestored: () => undefined,
        onShown: () => undefined,
        onEdited: () => undefined,
        onAccessLost: () => undefined,
        onTitleChanged: () => undefined,
      }),
    close: (page) => page.close(),
    lingerMs: LINGER_MS,
    after: (ms, run) => this.clock.after(ms, run),
  });

  #open(id: DocumentId) {
    const ports = memoryPorts(this.server, {
      user: userId(1),
      clock: this.clock,
      random: seededRandom(this.sessions.length + 1),
      store: this.store,
      locks: this.#tab,
      environment: this.environment,
    });
    this.links.push(ports.link);
    const travel = () => new Promise<void>((resolve) => void this.clock.after(TRAVEL_MS, resolve));
    const log: typeof ports.log = {
      ...ports.log,
      open: async (...args) => {
        await travel();
        const answer = await ports.log.open(...args);
        await travel();
        return answer;
      },
      append: async (...args) => {
        await travel();
        await this.blocked;
        return ports.log.append(...args);
      },
    };
    const session = openSession(id, { user: userId(1), ports: { ...ports, log }, schemaVersion: SCHEMA_VERSION });
    this.sessions.push(session);
    return {
      session,
      writeTitle: () => undefined,
      readTitle: () => '',
      readText: () => '',
      readState: () => new Uint8Array(0),
      release: () => undefined,
    };
  }

  /** Number of sessions that were opened and not closed. */
  get alive(): number {
    return this.sessions.filter((session) => session.getView().phase !== 'closed').length;
  }

  get text(): string {
    return this.sessions.at(-1)?.doc.getText('t').toString() ?? '';
  }

  /** Resources of sessions that closing must release (I9). */
  get left() {
    const { clock, server, locks, environment } = this;
    return {
      sessions: this.alive,
      timers: clock.pending,
      channels: server.hub.channels,
      locks: locks.held,
      listeners: environment.listeners,
    };
  }
}

const NOTHING = { sessions: 0, timers: 0, channels: 0, locks: 0, listeners: 0 };

const pass = (fixture: PageFixture, ms: number) => act(() => fixture.clock.run(ms));

function Shown({ fixture, id }: { readonly fixture: PageFixture; readonly id: DocumentId }) {
  const page = useLease(fixture.pages, id);
  return <p>{page === null ? 'none' : page.documentId}</p>;
}

/** A route whose page changes, mounted as the app mounts it. */
function mount(fixture: PageFixture) {
  const route = (id: DocumentId | null) => (
    <StrictMode>{id === null ? null : <Shown key={id} fixture={fixture} id={id} />}</StrictMode>
  );
  const { unmount, rerender } = render(route(PAGE));
  return { unmount, go: (id: DocumentId | null) => rerender(route(id)) };
}

test('under StrictMode’s double mount a page opens one session, and leaves nothing once no one shows it', async () => {
  const fixture = new PageFixture();
  const route = mount(fixture);
  await pass(fixture, 1_000);
  expect(fixture.sessions.length).toBe(1);
  expect(fixture.server.hub.channels).toBe(1);
  route.unmount();
  await pass(fixture, LINGER_MS + 1_000);
  expect(fixture.sessions.length).toBe(1);
  expect(fixture.left).toEqual(NOTHING);
});

test('two views of a page share a session until the second one is gone', async () => {
  const fixture = new PageFixture();
  const [first, second] = [mount(fixture), mount(fixture)];
  await pass(fixture, 1_000);
  first.unmount();
  await pass(fixture, 60_000);
  expect([fixture.sessions.length, fixture.alive]).toEqual([1, 1]);
  second.unmount();
  await pass(fixture, 60_000);
  expect(fixture.left).toEqual(NOTHING);
});

test('leaving and coming back within the linger time keeps the session, and so does a hot reload', async () => {
  const fixture = new PageFixture();
  const route = mount(fixture);
  await pass(fixture, 1_000);
  for (const to of [OTHER, PAGE, OTHER, null, PAGE]) {
    route.go(to);
    await pass(fixture, 300);
  }
  expect(fixture.sessions.length).toBe(2);
  await pass(fixture, 10_000);
  expect(fixture.alive).toBe(1);
  route.unmount();
  await pass(fixture, 10_000);
  expect(fixture.left).toEqual(NOTHING);
});

test('a page that is opened again while it closes waits for its last edits, and shows them at once', async () => {
  const fixture = new PageFixture();
  const route = mount(fixture);
  await pass(fixture, 1_000);
  let unblock: () => void = () => undefined;
  fixture.blocked = new Promise((resolve) => (unblock = resolve));
  fixture.sessions[0]?.doc.getText('t').insert(0, 'last words');
  route.go(null);
  // It is closing: the edit is on its way, and the call takes its time.
  await pass(fixture, LINGER_MS + 100);
  expect(fixture.sessions[0]?.getView().phase).toBe('closed');
  expect(fixture.locks.held).toBe(1);
  route.go(PAGE);
  await pass(fixture, 300);
  expect(fixture.sessions.length).toBe(1);
  unblock();
  await pass(fixture, 200);
  expect(fixture.sessions.length).toBe(2);
  expect(fixture.sessions[1]?.getView().phase).toBe('ready');
  expect(fixture.text).toBe('last words');
  expect(fixture.server.hub.channels).toBe(1);
  await pass(fixture, 60_000);
  expect(fixture.server.rows(PAGE).length).toBe(1);
  route.unmount();
  await pass(fixture, 60_000);
  expect(fixture.left).toEqual(NOTHING);
});

test('a page that takes too long to close is not waited for, and two sessions of one tab do not conflict', async () => {
  const fixture = new PageFixture();
  const route = mount(fixture);
  await pass(fixture, 1_000);
  let unblock: () => void = () => undefined;
  fixture.blocked = new Promise((resolve) => (unblock = resolve));
  fixture.sessions[0]?.doc.getText('t').insert(0, 'slow ');
  route.go(null);
  await pass(fixture, LINGER_MS + 100);
  route.go(PAGE);
  await pass(fixture, 2_000);
  expect(fixture.sessions.length).toBe(2);
  expect(fixture.sessions[1]?.getView().phase).toBe('ready');
  fixture.sessions[1]?.doc.getText('t').insert(0, 'new ');
  unblock();
  await pass(fixture, 60_000);
  expect(fixture.text).toContain('slow ');
  expect(fixture.text).toContain('new ');
  expect(fixture.sessions[1]?.getView()).toMatchObject({ receipt: 'saved', connection: 'live', damaged: [] });
  expect(fixture.server.rows(PAGE).length).toBe(2);
  route.unmount();
  await pass(fixture, 60_000);
  expect(fixture.left).toEqual(NOTHING);
});

test('a page back from the back/forward cache rejoins at once and sends what waited', async () => {
  const fixture = new PageFixture();
  const route = mount(fixture);
  await pass(fixture, 1_000);
  const [session] = fixture.sessions;
  // A browser hides a page that it keeps in the back/forward cache, closes its sockets and stops its timers.
  fixture.environment.set('hidden');
  fixture.links[0]?.close('disconnected');
  session?.doc.getText('t').insert(0, 'before');
  expect(session?.getView().connection).toBe('reconnecting');
  fixture.environment.set('visible');
  await pass(fixture, 3 * TRAVEL_MS);
  expect(session?.getView()).toMatchObject({ receipt: 'saved', connection: 'live' });
  expect(fixture.server.hub.channels).toBe(1);
  expect(fixture.sessions.length).toBe(1);
  route.unmount();
  await pass(fixture, 60_000);
  expect(fixture.left).toEqual(NOTHING);
});
