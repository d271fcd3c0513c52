// The parts of a page watched by link that a device keeps, and what it shows of them at the next visit.
import { expect, onTestFinished, test } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { WatchAnswer } from 'weft-sync/protocol/log-answers.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import * as Y from 'yjs';
import { deflate } from '../../../src/lib/deflate.ts';
import { err, ok } from '../../../src/lib/result.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import type { SeenPage } from '../../../src/platform/browser/storage/seen-by-link.ts';
import type { ChangesSince } from '../../../src/ports/changes.ts';
import { parseLinkSecret } from '../../../src/protocol/ids.ts';
import { compareWithLastVisit } from '../../../src/sessions/since/link-visits.ts';
import { documentId } from '../../support/app/app-fixture.ts';
import { Writer } from '../../support/editor/random-log.ts';

const PASSWORD = 'hunter2';
const STARS = '*'.repeat(PASSWORD.length);

const secretOf = (text: string) => parseLinkSecret(text.repeat(22)) ?? fail();
const fail = (): never => {
  throw new Error('malformed secret');
};

/** A page with the password, or the stars in its place, and a second row that removes it. */
function pageWith(words: string): {
  readonly rows: readonly Row[];
  readonly states: readonly Uint8Array<ArrayBuffer>[];
} {
  const rows: Row[] = [];
  const writer = new Writer(1);
  const states: Uint8Array<ArrayBuffer>[] = [];
  const send = () => {
    writer.send(rows, rows.length);
    states.push(new Uint8Array(Y.encodeStateAsUpdateV2(writer.doc)));
  };
  bodyOf(writer.doc).insert(0, [...elementsOfBlocks([textBlock({}, [plainRun(`The password is ${words}.`)])])]);
  send();
  const block = bodyOf(writer.doc).get(0);
  const text = block instanceof Y.XmlElement ? block.get(0) : null;
  if (!(text instanceof Y.XmlText)) throw new Error('no text');
  text.delete('The password is '.length, words.length);
  send();
  return { rows, states };
}

function watchedPage(state: Uint8Array, seq: number) {
  const watchers = new Set<() => void>();
  const now = { doc: new Y.Doc(), seq, rebuilds: 0 };
  Y.applyUpdateV2(now.doc, state);
  const watch: LinkWatch = {
    get doc() {
      return now.doc;
    },
    shownAt: null,
    get shownSeq() {
      return now.seq;
    },
    getView: () => ({
      phase: 'live',
      documentId: documentId(1),
      title: '',
      role: 'viewer',
      changedAt: 0,
      error: null,
      presenter: null,
      showsHistory: false,
      comments: null,
      rebuilds: now.rebuilds,
    }),
    subscribe(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
    setStance() {},
    retry() {},
    close() {},
  };
  return {
    watch,
    change(next: Partial<typeof now>) {
      Object.assign(now, next);
      for (const run of watchers) run();
    },
  };
}

/** Follows the page on a device that keeps `kept`. The link gives no row before the snapshot (SN11). */
function follow(
  watch: LinkWatch,
  kept: SeenPage | null,
  rows: readonly Row[],
  snapshot: WatchAnswer['snapshot'] = null,
) {
  const saved: SeenPage[] = [];
  const found: ChangesSince[] = [];
  const timers: (() => void)[] = [];
  const stop = compareWithLastVisit(secretOf('a'), watch, (changes) => found.push(changes), {
    seen: {
      load: async () => kept,
      save: async (_secret, page) => void saved.push(page),
      forget: async () => undefined,
    },
    watchLog: {
      openWatch: async (_secret, since, _watching, at) => {
        // HI1
        const row = rows.find(({ seq }) => seq === since);
        if (at !== null && row?.at !== at) return err(weftError('WF016'));
        const given = snapshot !== null && since < snapshot.seq ? snapshot : null;
        return ok({
          documentId: documentId(1),
          title: '',
          topic: '',
          role: 'viewer',
          head: rows.length,
          changedAt: 0,
          schemaVersion: 1,
          snapshot: given,
          rows: rows.slice(given?.seq ?? since),
          more: false,
          expiresAt: null,
          presenting: null,
          history: false,
          comments: null,
        });
      },
    },
    clock: {
      now: () => 0,
      after(_ms, run) {
        timers.push(run);
        return () => undefined;
      },
    },
    fromServer: (at) => at,
  });
  onTestFinished(stop);
  return { saved, found, tick: () => timers.splice(0).forEach((run) => run()) };
}

const textsIn = (found: readonly ChangesSince[]) =>
  JSON.stringify(found.map(({ marks, texts }) => [Array.from(marks), Array.from(texts, ([, one]) => Array.from(one))]));
const hasPassword = (state: Uint8Array) => new TextDecoder().decode(state).includes(PASSWORD);

test('what was removed since the visit is shown', async () => {
  const { rows, states } = pageWith(PASSWORD);
  const [first, second] = states;
  if (first === undefined || second === undefined) throw new Error('two states');
  const { watch } = watchedPage(second, 2);
  const { found } = follow(watch, { seq: 1, rowAt: 0, at: 0, state: first }, rows);
  await expect.poll(() => found).toHaveLength(1);
  expect(textsIn(found)).toContain(PASSWORD);
});

test('it is shown also by a link that gives a newer snapshot in place of the rows, without the time of what is in it', async () => {
  const { rows, states } = pageWith(PASSWORD);
  const [first, second] = states;
  if (first === undefined || second === undefined) throw new Error('two states');
  const { watch } = watchedPage(second, 2);
  const state = await deflate(second);
  const snapshot = { seq: 2, at: null, state, sha256: await sha256(state) };
  const { found } = follow(watch, { seq: 1, rowAt: 0, at: 0, state: first }, rows, snapshot);
  await expect.poll(() => found).toHaveLength(1);
  expect(textsIn(found)).toContain(PASSWORD);
  expect(found.flatMap(({ touched }) => Array.from(touched.values()))).toEqual([{ at: null, by: null }]);
});

test('words that were erased for good since the visit are not shown as what was removed', async () => {
  const [before, after] = [pageWith(PASSWORD), pageWith(STARS)];
  const [first, second] = [before.states[0], after.states[1]];
  if (first === undefined || second === undefined) throw new Error('two states');
  const { watch, change } = watchedPage(second, 2);
  change({ rebuilds: 1 });
  const others = after.rows.map((row) => ({ ...row, at: 100 }));
  const { found } = follow(watch, { seq: 1, rowAt: 0, at: 0, state: first }, others);
  await new Promise((done) => setTimeout(done, 1_500));
  expect(textsIn(found)).not.toContain(PASSWORD);
});

test('what the device keeps has no word that was erased while the page was open', async () => {
  const [before, after] = [pageWith(PASSWORD), pageWith(STARS)];
  const [first, erased] = [before.states[0], after.states[0]];
  if (first === undefined || erased === undefined) throw new Error('two states');
  const { watch, change } = watchedPage(first, 1);
  const { saved, tick } = follow(watch, null, before.rows);
  await expect.poll(() => (tick(), saved.length)).toBe(1);
  expect(hasPassword(saved[0]?.state ?? first)).toBe(true);
  const doc = new Y.Doc();
  Y.applyUpdateV2(doc, erased);
  change({ doc, rebuilds: 1 });
  tick();
  await expect.poll(() => saved.length).toBe(2);
  expect(hasPassword(saved[1]?.state ?? first)).toBe(false);
});
