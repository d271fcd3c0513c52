// One page on a memory server while a hostile editor writes into it: the app's own sessions, editor and view for watching.
// Only their clock is virtual.
import type { Editor } from '@tiptap/core';
import { createElement, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { userEvent } from 'vitest/browser';
import { type BodyPart, bodyParts } from 'weft-document/body-parts.ts';
import { deletionsOf } from 'weft-document/body/block-deletions.ts';
import { bodyText } from 'weft-document/body/body-text.ts';
import { MAX_EDITOR_UNITS, pageLengthOf } from 'weft-document/body/page-length.ts';
import { parseBody } from 'weft-document/body/parse-body.ts';
import { keyOf } from 'weft-document/body/plain-body.ts';
import { bodyOf } from 'weft-document/names.ts';
import { titleText } from 'weft-document/title.ts';
import { MOVE_JITTER_MS } from 'weft-sync/session/machine-runner.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import * as Y from 'yjs';
import { documentOf } from '../../../src/editor/binding/binding-of.ts';
import { BlockSelection } from '../../../src/editor/blocks/block-selection.ts';
import { PageEditor } from '../../../src/editor/page-editor.tsx';
import { SafePage } from '../../../src/features/safe-view/safe-page.tsx';
import { WatchPage } from '../../../src/features/watching/watch-page.tsx';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { noFiles } from '../../support/app/memory-files.ts';
import { linesOf } from '../../support/editor/opened-page.ts';
import { DOCUMENT, SECRET, userId } from '../../sync/sync-harness.ts';
import { type HostileEdit, goodPage, isGood } from './hostile-page.ts';
import { ALARM } from './hostile-values.ts';
import { msIfLong } from './is-long.ts';
import { type Load, atUsualSpeed, loadOf } from './load.ts';

/** Held against the clock by `npm run attack` only. */
const SHOWN_WITHIN_MS = 3_000;
const WAIT_MS = 60_000;
/** More bad blocks than this are deleted as a range. */
const SINGLY_DELETED = 5;

export type Outcome = {
  /** Faults that must not happen, in words. */
  readonly faults: readonly string[];
  /** Descriptions of what was shown too late. */
  readonly late: readonly string[];
  /** How much the page had to do at a time, in each phase. */
  readonly loads: Readonly<Record<string, Load>>;
};

/** `live`: the edits arrive while the page is open. */
export async function attackPage(edits: readonly HostileEdit[], live: boolean): Promise<Outcome> {
  const faults: string[] = [];
  const loads: Record<string, Load> = {};
  const late: string[] = [];
  let shownAfter: (readonly [what: string, ms: number])[] = [];
  const stopListening = listen((fault) => void faults.push(fault));
  const clock = new SimClock();
  const server = new MemoryServer(clock, SCHEMA_VERSION);
  server.createDocument(DOCUMENT, goodPage());
  server.createLink(DOCUMENT, SECRET);
  server.setRole(DOCUMENT, userId(1), 'manager');
  server.setRole(DOCUMENT, userId(2), 'editor');
  const root = document.body.appendChild(document.createElement('div'));
  const [watched, written] = [shownIn(root), shownIn(root)];
  const phase = async (name: string, run: () => Promise<void>) => {
    loads[name] = await loadOf(run);
    for (const [what, ms] of shownAfter) {
      const usualMs = await atUsualSpeed(ms, SHOWN_WITHIN_MS);
      if (usualMs > SHOWN_WITHIN_MS) late.push(`${what} is shown after ${Math.round(usualMs)} ms`);
    }
    shownAfter = [];
  };
  const shows = async (host: HTMLElement, what: string) => {
    const startedAt = performance.now();
    const isInTime = await until(() => isShown(host), WAIT_MS);
    if (!isInTime) faults.push(`${what} is not shown within ${WAIT_MS / 1_000} s`);
    shownAfter.push([what, msIfLong(performance.now() - startedAt)]);
  };
  if (!live) await append(server, edits);
  const watch = openWatch(SECRET, {
    schemaVersion: SCHEMA_VERSION,
    ports: {
      clock,
      random: seededRandom(2),
      link: server.hub.link(null),
      watchLog: server.watchLog(),
      environment: new MemoryEnvironment(),
    },
  });
  let closeSession: () => Promise<void> = () => Promise.resolve();
  try {
    await phase('watching', async () => {
      await clock.until(() => watch.getView().phase === 'live');
      watched.react.render(createElement(WatchPage, { watch, foldsKey: 'fuzz' }));
      await shows(watched.host, 'the watched page');
      await frames(2);
    });
    // Not before the watcher's page is shown: elsewhere the two are tabs of their own, and would not keep each other busy.
    const session = openSession(DOCUMENT, {
      user: userId(1),
      schemaVersion: SCHEMA_VERSION,
      ports: memoryPorts(server, { user: userId(1), clock, random: seededRandom(3) }),
      readText: (doc) => ({ title: titleText(doc), bodyText: bodyText(doc) }),
    });
    closeSession = () => session.close();
    await phase('opening', async () => {
      await clock.until(() => session.getView().phase === 'ready' && session.getView().connection === 'live');
      written.react.render(createElement(OwnersPage, { session }));
      await shows(written.host, 'the editor');
      await frames(2);
    });
    if (live) {
      await append(server, edits);
      await phase('arriving', async () => {
        // Their schema may be new to the page: everyone moves to another topic within 2 s, at random (L6).
        await clock.run(MOVE_JITTER_MS + 1_000);
        await frames(3);
        await shows(watched.host, 'the watched page');
        await shows(written.host, 'the editor');
      });
    }
    for (const { host } of [watched, written]) faults.push(...programsIn(host));
    await phase('deleting', async () => {
      const fault = await deleteBad(session.doc, written.host);
      if (fault !== null) faults.push(fault);
      // The button of the safe view does the same.
      pageLengthOf(session.doc, MAX_EDITOR_UNITS).reset();
      await until(() => editorIn(written.host) !== null, WAIT_MS);
    });
    const editor = editorIn(written.host);
    if (editor === null) faults.push('the page cannot be edited');
    else {
      await phase('typing', async () => {
        editor.view.focus();
        editor.commands.setTextSelection(1 + 'first'.length);
        await userEvent.keyboard('!');
        await frames(2);
        await clock.run(10_000);
        await frames(2);
      });
      const lines = linesOf(session);
      if (lines.join() !== 'paragraph: first!,paragraph: last') faults.push(`the page is ${show(lines.join())}`);
      const shown = [watched, written].map(({ host }) => host.querySelector('.page-body')?.textContent);
      if (shown.some((text) => text !== 'first!last')) faults.push(`the views show ${show(shown.join(' and '))}`);
      if (linesOf(watch).join() !== lines.join()) faults.push('the watcher has another page');
      if (stateOf(watch.doc) !== stateOf(session.doc)) faults.push('the watcher has another state');
      const { receipt } = session.getView();
      if (receipt !== 'saved') faults.push(`the receipt says ${receipt}`);
      // Reads everything once more, as lists, search and exports do.
      parseBody(session.doc);
    }
  } catch (error) {
    faults.push(`exception: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`.slice(0, 400));
  } finally {
    watched.react.unmount();
    written.react.unmount();
    watch.close();
    const closing = closeSession();
    await clock.run(5_000);
    await closing;
    root.remove();
    await frames(1);
    stopListening();
  }
  return { faults, late, loads };
}

/** The page as its screen shows it to an editor. */
function OwnersPage({ session }: { readonly session: Session }) {
  const length = pageLengthOf(session.doc, MAX_EDITOR_UNITS);
  const state = useSyncExternalStore(length.subscribe, length.get);
  return state === 'short'
    ? createElement(PageEditor, { session, people: new Map(), editable: true, files: noFiles })
    : createElement(SafePage, { session, title: '', reason: 'large', editable: true, onOpen: null });
}

/** Whether the page is shown to its last block, or as plain text to its first part. */
const isShown = (host: HTMLElement): boolean =>
  host.querySelector('.page-body')?.textContent.includes('last') === true ||
  host.querySelector('.plain-list')?.textContent.includes('first') === true;

function editorIn(host: HTMLElement): Editor | null {
  const element: (Element & { editor?: Editor }) | null = host.querySelector('.page-body');
  return element?.editor ?? null;
}

/** Deletes bad blocks as the owner would: in the editor one by one, in the safe view all at once. Returns the failed step. */
async function deleteBad(doc: Y.Doc, host: HTMLElement): Promise<string | null> {
  for (let round = 0; round < 100; round++) {
    const parts = bodyParts(bodyOf(doc));
    const [from, to] = nextBad(parts);
    if (from === to) return null;
    const editor = editorIn(host);
    if (editor === null) {
      await deletionsOf(doc).delete(new Set(parts.filter((part) => !isGood(part)).map(keyOf)));
      if (bodyParts(bodyOf(doc)).length > parts.length - (to - from)) return 'the safe view deletes nothing';
      continue;
    }
    const { view } = editor;
    // Until all is drawn, the editor takes characters only.
    const isDrawn = () => documentOf(view.state) !== null;
    const isWhole = () => view.state.doc.childCount === parts.length && view.editable && isDrawn();
    if (!(await until(isWhole, WAIT_MS))) return 'the editor never shows the whole page';
    // No key comes in the frame in which the last blocks are drawn.
    await frames(1);
    view.dispatch(view.state.tr.setSelection(BlockSelection.between(view.state.doc, from, to - 1)));
    view.focus();
    await userEvent.keyboard('{Delete}');
    if (bodyParts(bodyOf(doc)).length === parts.length) {
      return `block ${from} is not deleted: ${view.state.doc.maybeChild(from)?.type.name}`;
    }
  }
  return 'there are always more blocks to delete';
}

function shownIn(root: HTMLElement) {
  const host = root.appendChild(document.createElement('div'));
  return { host, react: createRoot(host) };
}

/** Each attack is a session of its own. Rows that the database refuses are left out. */
async function append(server: MemoryServer, edits: readonly HostileEdit[]): Promise<void> {
  const log = server.log(userId(2));
  for (const [at, { clientId, updates }] of edits.entries()) {
    const session = seededRandom(100 + at).session();
    await log.startSession({ document: DOCUMENT, session, clientId, schemaVersion: SCHEMA_VERSION });
    for (const [index, update] of updates.entries()) {
      const n = index + 1;
      const edit = { document: DOCUMENT, session, nFrom: n, nTo: n, update, dependencies: [] };
      await log.append({ ...edit, knownSeq: 0, schemaVersion: SCHEMA_VERSION, livePeers: 1 });
    }
  }
}

/** The next bad blocks: one, or all that stand side by side if there are many. */
function nextBad(parts: readonly BodyPart[]): readonly [from: number, to: number] {
  const from = parts.findIndex((part) => !isGood(part));
  if (from < 0) return [0, 0];
  const end = parts.findIndex((part, at) => at > from && isGood(part));
  const to = end < 0 ? parts.length : end;
  return [from, to - from > SINGLY_DELETED ? to : from + 1];
}

const stateOf = (doc: Y.Doc): string => Y.encodeStateVector(doc).toString();

/** Programs in the page, and links that would run one. */
function programsIn(host: HTMLElement): readonly string[] {
  const found: string[] = [];
  for (const element of host.querySelectorAll('*')) {
    if (/^(?:script|iframe|object|embed|base|meta|link)$/i.test(element.tagName)) found.push(`<${element.tagName}>`);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) found.push(`${name}=`);
      if (/^(?:href|src|action|xlink:href)$/i.test(name) && !isHarmless(value)) found.push(`${name}=${show(value)}`);
    }
  }
  return found;
}

const isHarmless = (address: string): boolean => {
  // Nothing happens at an address that is none.
  if (!URL.canParse(address, 'https://weft.dev/')) return true;
  const { protocol } = new URL(address, 'https://weft.dev/');
  return ['http:', 'https:', 'mailto:', 'tel:', 'blob:'].includes(protocol);
};

/** Reports exceptions, dialogs and programs of the page. Returns how to stop. */
function listen(report: (fault: string) => void): () => void {
  const onError = (event: ErrorEvent | PromiseRejectionEvent) => {
    const error: unknown = event instanceof ErrorEvent ? (event.error ?? event.message) : event.reason;
    report(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`.slice(0, 400));
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const names = ['alert', 'confirm', 'prompt', 'open', 'print', ALARM];
  const before = names.map((name): unknown => Reflect.get(window, name));
  for (const name of names) Reflect.set(window, name, () => report(`${name}() was called`));
  window.addEventListener('error', onError, { capture: true });
  window.addEventListener('unhandledrejection', onError, { capture: true });
  return () => {
    for (const [at, name] of names.entries()) Reflect.set(window, name, before[at]);
    window.removeEventListener('error', onError, { capture: true });
    window.removeEventListener('unhandledrejection', onError, { capture: true });
  };
}

async function until(isDone: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  while (!isDone()) {
    if (performance.now() > end) return false;
    await frames(1);
  }
  return true;
}

async function frames(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise((done) => requestAnimationFrame(done));
}

const show = (words: string): string => (words.length > 200 ? `${words.slice(0, 100)}… (${words.length})` : words);
