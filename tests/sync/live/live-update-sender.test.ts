// When live updates go out and what is in them: one sender with a virtual clock and a real outbox behind it.
import { describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { seededRandom } from '../../memory/seeded-random.ts';
import { SimClock } from '../../memory/sim-clock.ts';
import { type LiveUpdate, decodeLiveUpdate } from '../../../src/protocol/live-update.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import { LiveUpdateSender } from '../../../src/sync/live/live-update-sender.ts';
import { Outbox } from '../../../src/sync/state/outbox.ts';
import { partContext } from '../part-context.ts';
import { userId } from '../sync-harness.ts';

const random = seededRandom(21);
const sessions: readonly SessionId[] = Array.from({ length: 30 }, () => random.session());
const [own = random.session()] = sessions;

function setup(others: number) {
  const clock = new SimClock();
  const context = partContext({ clock, random: { session: () => own, next: () => 0.5 } });
  const { presence, state } = context;
  const { own: outbox } = state.pending;
  outbox.markRegistered();
  state.log.setMeta({ schemaVersion: 1, title: '', role: 'editor' });
  state.log.replica.applySnapshot(7, new Uint8Array(Y.encodeStateAsUpdateV2(new Y.Doc())));
  const liveUpdates: (LiveUpdate & { readonly at: number })[] = [];
  const send = (bytes: Bytes) => {
    const liveUpdate = decodeLiveUpdate(bytes);
    if (!liveUpdate.ok) throw new Error(liveUpdate.error.detail);
    liveUpdates.push({ ...liveUpdate.value, at: clock.now() });
  };
  const carets = { own: Uint8Array.of(0) };
  const sender = new LiveUpdateSender(context, { send }, carets);
  const join = (count: number) => {
    presence.set(sessions.slice(0, count + 1).map((session) => ({ session, user: userId(1) })));
    sender.peersChanged();
  };
  state.doc.on('update', (update: Uint8Array) => {
    state.pending.addEdit(new Uint8Array(update));
    sender.changed();
  });
  presence.joinedLive();
  join(others);
  const type = () => state.doc.getText('t').insert(0, 'x');
  const moveCaret = (to: number) => {
    carets.own = Uint8Array.of(1, to);
    sender.changed();
  };
  return { clock, outbox, sender, liveUpdates, join, type, moveCaret };
}

const gaps = (liveUpdates: readonly { readonly at: number }[]) =>
  liveUpdates.slice(1).map(({ at }, index) => Math.round(at - (liveUpdates[index]?.at ?? 0)));

describe('the content of a live update', () => {
  test('[L1] everything unacknowledged from the first edit on, with the head and together with the caret', async () => {
    const { clock, outbox, liveUpdates, type, moveCaret } = setup(1);
    type();
    moveCaret(1);
    await clock.run(60);
    type();
    await clock.run(60);
    outbox.acknowledge(1);
    type();
    await clock.run(60);
    expect(liveUpdates.map(({ nFrom, nTo, head, caret }) => [nFrom, nTo, head, caret.length])).toEqual([
      [1, 1, 7, 2],
      [1, 2, 7, 2],
      [2, 3, 7, 2],
    ]);
  });

  test('[L1] nothing goes out alone; a newcomer gets everything', async () => {
    const { clock, liveUpdates, join, type } = setup(0);
    type();
    await clock.run(1_000);
    expect(liveUpdates).toEqual([]);
    join(1);
    expect(liveUpdates.map(({ nFrom, nTo }) => [nFrom, nTo])).toEqual([[1, 1]]);
  });

  test('[L1] [L3] edits that went out in live updates count for those who were there', async () => {
    const { clock, sender, join, type } = setup(1);
    type();
    await clock.run(10);
    expect(sender.sentN).toBe(1);
    join(0);
    expect(sender.sentN).toBe(0);
    join(2);
    await clock.run(100);
    expect(sender.sentN).toBe(1);
  });

  test('[L4] an acknowledgement that no live update follows is reported 200 ms later', async () => {
    const { clock, outbox, sender, liveUpdates, type } = setup(1);
    type();
    await clock.run(100);
    outbox.acknowledge(1);
    sender.acknowledged();
    await clock.run(199);
    expect(liveUpdates.length).toBe(1);
    await clock.run(2);
    expect(liveUpdates.at(-1)).toMatchObject({ nFrom: 0, nTo: 0, head: 7 });
    expect(liveUpdates.at(-1)?.update.length).toBe(0);
  });
});

describe('how often', () => {
  test('[LR1] at once, then every 50 ms; carets every 100 ms', async () => {
    const { clock, liveUpdates, type, moveCaret } = setup(1);
    for (let i = 0; i < 50; i++) {
      type();
      await clock.run(10);
    }
    expect(new Set(gaps(liveUpdates))).toEqual(new Set([50]));
    await clock.run(200);
    liveUpdates.length = 0;
    for (let i = 0; i < 50; i++) {
      moveCaret(i);
      await clock.run(10);
    }
    expect(new Set(gaps(liveUpdates))).toEqual(new Set([100]));
  });

  test('[LR1] the budget is shared by everybody who writes and is present', async () => {
    const { clock, sender, liveUpdates, join, type } = setup(9);
    const typed = async (seconds: number) => {
      liveUpdates.length = 0;
      for (let i = 0; i < seconds * 20; i++) {
        type();
        for (const session of sessions.slice(1, 5)) sender.peerWrote(session);
        await clock.run(50);
      }
      return liveUpdates.length / seconds;
    };
    await typed(1);
    // 9 others, 5 writers, 100 a second: every 450 ms.
    expect(await typed(9)).toBeCloseTo(1_000 / 450, 0);
    // Session ids that presence does not list get no share.
    for (const session of sessions.slice(15)) sender.peerWrote(session);
    expect(await typed(9)).toBeCloseTo(1_000 / 450, 0);
    join(2);
    expect(await typed(3)).toBeGreaterThan(10);
  });

  test('[LR1] a crowd’s live updates hold no text, and its published rows take their turns', async () => {
    const { clock, sender, liveUpdates, type } = setup(20);
    for (const session of sessions.slice(1, 20)) sender.peerWrote(session);
    expect(sender.isCrowded).toBe(true);
    type();
    await clock.run(100);
    expect(liveUpdates).toEqual([]);
    const other = new Outbox({ session: random.session(), clientId: 5_000 });
    let published = 0;
    for (let i = 0; i < 400; i++) {
      for (const session of sessions.slice(1, 20)) sender.peerWrote(session);
      if (sender.audienceOf(other, 0) !== 0) published += 1;
      await clock.run(100);
    }
    // 20 × 20 deliveries for one round of all: four seconds.
    expect(published).toBe(10);
  });

  test('[LR2] "too many messages" halves the rate, minutes without double it again', async () => {
    const { clock, sender, liveUpdates, type } = setup(4);
    const rate = async () => {
      liveUpdates.length = 0;
      for (let i = 0; i < 200; i++) {
        type();
        await clock.run(10);
      }
      return liveUpdates.length / 2;
    };
    const before = await rate();
    sender.slowDown();
    sender.slowDown();
    const slow = await rate();
    expect(slow).toBeLessThanOrEqual(before / 3);
    await clock.run(125_000);
    expect(await rate()).toBeGreaterThanOrEqual(before - 1);
  });

  test('[I9] after stopping, nothing more is sent and no timer is left', async () => {
    const { clock, sender, liveUpdates, type } = setup(1);
    type();
    type();
    sender.acknowledged();
    sender.stop();
    type();
    await clock.run(5_000);
    expect([liveUpdates.length, clock.pending]).toEqual([0, 0]);
  });
});
