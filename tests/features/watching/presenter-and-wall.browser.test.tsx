// A watched page while someone presents, and on a wall.
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page as browser, userEvent } from 'vitest/browser';
import { bodyOf } from 'weft-document/names.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Stance } from 'weft-sync/protocol/presenting.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type { WatchView } from 'weft-sync/session/views.ts';
import { REMOTE_ORIGIN, newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { WallPage } from '../../../src/features/watching/wall/wall-page.tsx';
import { WatchPage } from '../../../src/features/watching/watch-page.tsx';
import { pageSeed } from '../../support/editor/page-seed.ts';
import { testUser } from '../../support/editor/page-session.ts';
import '../../../src/ui/theme/tokens.css';
import '../../../src/ui/theme/base.css';
import '../../../src/ui/controls/controls.css';

beforeEach(async () => {
  await browser.viewport(1200, 800);
  scrollTo({ top: 0, behavior: 'instant' });
});

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

function watched(render: (watch: WatchSession) => ReactNode, phase: WatchView['phase'] = 'live') {
  const doc = newDoc();
  const lines = Array.from({ length: 150 }, (_, at) => `line ${at}`);
  Y.applyUpdate(doc, pageSeed({ kind: 'heading', level: 2, text: 'Waves' }, ...lines), REMOTE_ORIGIN);
  const watchers = new Set<() => void>();
  const stances: Stance[] = [];
  let view: WatchView = {
    phase,
    documentId: null,
    title: 'Harbour swim',
    role: 'viewer',
    changedAt: Date.now(),
    error: null,
    presenter: null,
    showsHistory: false,
    comments: null,
    rebuilds: 0,
  };
  const watch: WatchSession = {
    doc,
    getView: () => view,
    subscribe(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
    shownSeq: 1,
    setStance: (stance) => void stances.push(stance),
    retry() {},
    close() {},
  };
  const root = document.body.appendChild(document.createElement('div'));
  const react = createRoot(root);
  react.render(render(watch));
  onTestFinished(() => {
    react.unmount();
    root.remove();
  });
  return {
    root,
    /** The page is here. */
    opened() {
      view = { ...view, phase: 'live' };
      for (const run of watchers) run();
    },
    stance: () => stances.at(-1),
    /** Someone presents this block; null: no one does. Watchers by link learn no `user`. */
    present(block: number | null, user: UserId | null = null) {
      const place = block === null ? null : { block: `line-${block}`, offset: 2 };
      view = { ...view, presenter: place === null ? null : { user, place, isOwn: false } };
      for (const run of watchers) run();
    },
    /** Someone writes into this block. */
    write(block: number) {
      const author = newDoc();
      Y.applyUpdate(author, Y.encodeStateAsUpdate(doc), REMOTE_ORIGIN);
      const node = bodyOf(author).get(block);
      const text = node instanceof Y.XmlElement ? node.get(0) : null;
      if (text instanceof Y.XmlText) text.insert(0, 'now ');
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(author), REMOTE_ORIGIN);
    },
    heightOf: (block: number) =>
      (root.querySelectorAll('.block')[block]?.getBoundingClientRect().top ?? Number.NaN) / innerHeight,
  };
}

const onPage = () => watched((watch) => <WatchPage watch={watch} foldsKey="page" />);
const onWall = () => watched((watch) => <WallPage watch={watch} foldsKey="page" files={null} />);
const expectAtThird = (heightOf: () => number) => expect.poll(() => Math.abs(heightOf() - 1 / 3)).toBeLessThan(0.05);
const card = () => browser.getByRole('alertdialog', { name: 'An editor is presenting' });
const drawn = () => expect.element(browser.getByRole('region', { name: 'Watched page' })).toBeVisible();

test('a watcher by link is asked once, moves only after Follow, and stops by scrolling', async () => {
  const { present, heightOf, stance, root } = onPage();
  await drawn();
  present(100);
  await expect.element(card()).toBeVisible();
  expect(scrollY).toBe(0);
  await userEvent.click(browser.getByRole('button', { name: 'Follow', exact: true }));
  await expectAtThird(() => heightOf(100));
  expect(stance()).toBe('follows');
  present(20);
  await expectAtThird(() => heightOf(20));
  await expect.element(browser.getByText('Following the presenter')).toBeVisible();
  root.querySelector('.block')?.dispatchEvent(new WheelEvent('wheel', { bubbles: true }));
  await expect.poll(stance).toBe('none');
  present(120);
  await wait(200);
  expect(heightOf(120)).toBeGreaterThan(1);
  expect(card().query()).toBeNull();
});

test('someone else who presents right after asks anew, and moves no one unasked', async () => {
  const { present, heightOf, stance } = onPage();
  await drawn();
  present(100, testUser(1));
  await userEvent.click(browser.getByRole('button', { name: 'Follow', exact: true }));
  await expectAtThird(() => heightOf(100));
  present(null);
  present(20, testUser(2));
  await expect.element(card()).toBeVisible();
  await expectAtThird(() => heightOf(100));
  expect(stance()).toBe('none');
});

test('a person who answers “Not now” stays where they are, and the presenter learns of it', async () => {
  const { present, stance } = onPage();
  await drawn();
  present(100);
  await userEvent.click(browser.getByRole('button', { name: 'Not now' }));
  await expect.poll(() => card().query()).toBeNull();
  expect([stance(), scrollY]).toEqual(['declined', 0]);
});

test('a wall goes to the latest change, a third from the top, below its heading', async () => {
  const { write, heightOf, root } = onWall();
  await drawn();
  await wait(100);
  write(90);
  await expectAtThird(() => heightOf(90));
  await expect.poll(() => root.querySelector('.wall-heading')?.textContent).toBe('Waves');
  write(149);
  await expectAtThird(() => heightOf(149));
  expect(root.querySelector('.wall-foot')?.textContent).toMatch(/^Live.*Harbour swim\d\d:\d\d$/);
});

test('a wall follows a presenter without asking, and says that someone presents', async () => {
  const { present, heightOf, root } = onWall();
  await drawn();
  present(60);
  await expectAtThird(() => heightOf(60));
  expect(root.querySelector('.wall-presenter')?.textContent).toBe('An editor is presenting');
  expect(card().query()).toBeNull();
});

test('a wall that opens while someone presents goes to their place', async () => {
  const { present, opened, heightOf } = watched(
    (watch) => <WallPage watch={watch} foldsKey="page" files={null} />,
    'opening',
  );
  await expect.element(browser.getByRole('status', { name: 'Opening the page' })).toBeInTheDocument();
  present(60);
  await wait(50);
  opened();
  await drawn();
  await expectAtThird(() => heightOf(60));
});

test('after three seconds of rest the pointer and the button are gone, and come back when the mouse moves', async () => {
  const { root } = onWall();
  await drawn();
  const isResting = () => root.querySelector('.wall')?.hasAttribute('data-resting');
  expect(isResting()).toBe(false);
  await expect.poll(isResting, { timeout: 5_000 }).toBe(true);
  expect(getComputedStyle(root.querySelector('.wall') ?? root).cursor).toBe('none');
  dispatchEvent(new PointerEvent('pointermove'));
  await expect.poll(isResting).toBe(false);
});

test('a wall keeps the screen on, and asks for it again when the page comes back', async () => {
  const asked: string[] = [];
  const sentinels: EventTarget[] = [];
  const request = async (type?: WakeLockType): Promise<WakeLockSentinel> => {
    asked.push(type ?? '');
    const sentinel = Object.assign(new EventTarget(), {
      released: false,
      type: 'screen' as const,
      onrelease: null,
      release: async () => undefined,
    });
    sentinels.push(sentinel);
    return sentinel;
  };
  const wakeLock = Object.getOwnPropertyDescriptor(Navigator.prototype, 'wakeLock');
  Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'wakeLock');
    expect('wakeLock' in navigator).toBe(wakeLock !== undefined);
  });
  onWall();
  await expect.poll(() => asked).toEqual(['screen']);
  // The browser takes the lock away.
  sentinels[0]?.dispatchEvent(new Event('release'));
  await expect.poll(() => asked).toEqual(['screen', 'screen']);
});
