// When live updates go out and what is in them: one sender with a virtual clock and a real outbox behind it.
import { describe, expect, test } from 'vitest';
import { LiveUpdateSender } from 'weft-sync/live/live-update-sender.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import { type LiveUpdate, decodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { Outbox } from 'weft-sync/state/outbox.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { partContext } from '../part-context.ts';

const random = seededRandom(21);
const sessions: readonly SessionId[] = Array.from({ length: 30 }, () => random.session());
const [own = random.session()] = sessions;

function setup(others: number, drawn = 0.5) {
  const clock = new SimClock();
  const context = partContext({ clock, random: { session: () => own, next: () => drawn } });
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
  const sender = new LiveUpdateSender(context, { send }, carets, { busyPages: 1, sending: () => {} });
  const join = (count: number) => {
    presence.set(sessions.slice(0, count + 1));
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
  const lose = () => {
    presence.left();
    sender.peersChanged();
  };
  const rejoin = (count: number) => {
    presence.joinedLive();
    join(count);
  };
  return { clock, outbox, sender, liveUpdates, join, lose, rejoin, type, moveCaret };
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

  test('[L1] an edit that waits for the next live update goes out before an append takes it along', async () => {
    const { clock, outbox, sender, liveUpdates, type } = setup(1);
    type();
    await clock.run(10);
    type();
    await clock.run(30);
    expect(liveUpdates.map(({ nTo }) => nTo)).toEqual([1]);
    expect(sender.audienceOf(outbox, 2)).toBe(0);
    expect(liveUpdates.map(({ nTo }) => nTo)).toEqual([1, 2]);
    // Not beyond the budget.
    for (const session of sessions.slice(1, 2)) sender.peerWrote(session);
    type();
    expect(sender.audienceOf(outbox, 3)).toBe(1);
    expect(liveUpdates.length).toBe(2);
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
    sender.acknowledged(8);
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

  test('[LR1] the budget is shared by everyone who writes and is present', async () => {
    const { clock, sender, liveUpdates, join, type } = setup(9);
    const typed = async (seconds: number) => {
      liveUpdates.length = 0;
      for (let i = 0; i < seconds * 20; i++) {
        type();
        for (const session of sessions.slice(1, 2)) sender.peerWrote(session);
        await clock.run(50);
      }
      return liveUpdates.length / seconds;
    };
    await typed(1);
    // 1 sent and 9 received, 2 writers, 100 a second: every 200 ms.
    expect(await typed(9)).toBeCloseTo(1_000 / 200, 0);
    // Session ids that presence does not list get no share.
    for (const session of sessions.slice(15)) sender.peerWrote(session);
    expect(await typed(9)).toBeCloseTo(1_000 / 200, 0);
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
    // 21 × 20 messages for one round of all: 4.2 seconds.
    expect(published).toBeGreaterThanOrEqual(9);
    expect(published).toBeLessThanOrEqual(10);
  });

  test('[LR1] below a crowd too, a published row takes the turn of a live update', async () => {
    const { clock, sender, liveUpdates, type } = setup(9);
    const other = new Outbox({ session: random.session(), clientId: 5_000 });
    for (const session of sessions.slice(1, 2)) sender.peerWrote(session);
    expect(sender.audienceOf(other, 1)).toBe(9);
    type();
    await clock.run(190);
    expect(liveUpdates).toEqual([]);
    await clock.run(20);
    expect(liveUpdates.length).toBe(1);
  });

  test('[L5] in a crowd, a newcomer is answered one by one, within the time that the budget asks for', async () => {
    const answers: number[] = [];
    for (const at of [0, 0.25, 0.5, 0.999]) {
      const { clock, liveUpdates, join, moveCaret } = setup(19, at);
      moveCaret(1);
      await clock.run(60_000);
      liveUpdates.length = 0;
      const before = clock.now();
      join(20);
      await clock.run(10_000);
      answers.push(...liveUpdates.map((update) => update.at - before));
    }
    // 20 others × 21 messages each, 100 a second.
    expect(answers.length).toBe(4);
    for (const [nth, at] of [0, 1_050, 2_100, 4_196].entries()) {
      expect(Math.abs((answers[nth] ?? Number.NaN) - at)).toBeLessThanOrEqual(10);
    }
  });

  test('[L5] a crowd that answers a newcomer goes on showing what it writes, half as often', async () => {
    const rowsWithin = async (someoneJoins: boolean) => {
      const { clock, sender, join } = setup(19, 0.999);
      const other = new Outbox({ session: random.session(), clientId: 5_000 });
      const publish = async (times: number) => {
        let rows = 0;
        for (let at = 0; at < times; at++) {
          for (const session of sessions.slice(1, 5)) sender.peerWrote(session);
          if (sender.audienceOf(other, 0) !== 0) rows += 1;
          await clock.run(100);
        }
        return rows;
      };
      await publish(15);
      if (someoneJoins) join(20);
      return publish(42);
    };
    // 5 who write × 20 messages a row, 100 a second, drawn half as long again: one in 1.5 s, in the 4.2 s of the answers.
    expect(await rowsWithin(false)).toBe(2);
    expect(await rowsWithin(true)).toBe(1);
  });

  test('[LR3] what watchers receive comes off the budget of the writers, who keep a quarter', () => {
    const { sender } = setup(4);
    const before = sender.diagnostics.intervalMs;
    const intervalFor = (watching: number) => {
      sender.watched(watching);
      return sender.diagnostics.intervalMs / before;
    };
    // A budget of 100 messages a second, of which 1 + 49 go to watchers.
    expect(intervalFor(49)).toBeCloseTo(2);
    expect(intervalFor(10_000)).toBeCloseTo(4);
    expect(intervalFor(0)).toBe(1);
  });

  /** Whether each of `count` appends, one every 300 ms, asks the database to publish its row. */
  async function published({ clock, outbox, sender, type }: ReturnType<typeof setup>, count: number) {
    const asked: boolean[] = [];
    for (let n = 0; n < count; n++) {
      type();
      asked.push(sender.audienceOf(outbox, outbox.lastN) !== 0);
      outbox.acknowledge(outbox.lastN);
      sender.acknowledged(n + 8);
      await clock.run(300);
    }
    return asked.filter(Boolean).length;
  }

  test('[LR4] all who lose the topic together publish as rarely as their crowd did, until they are listed again', async () => {
    const page = setup(29);
    for (const session of sessions.slice(1)) page.sender.peerWrote(session);
    page.lose();
    // 30 writers × 30 messages a row, of 100 a second: one row of each in 9 s.
    expect(await published(page, 120)).toBeLessThanOrEqual(4);
    // Joined, and not in the list yet.
    page.rejoin(-1);
    expect(await published(page, 60)).toBeLessThanOrEqual(2);
    // Longer ago than L5 asks for.
    await page.clock.run(6_000);
    expect(page.liveUpdates).toEqual([]);
    page.join(1);
    await page.clock.run(1_000);
    expect(page.liveUpdates.map(({ head, nTo }) => [head, nTo])).toEqual([[7, 0]]);
  });

  test('[LR4] two who lose the topic, and someone who never was on it, publish each row', async () => {
    const page = setup(1);
    page.sender.peerWrote(sessions[1] ?? own);
    page.lose();
    expect(await published(page, 20)).toBe(20);
    const alone = setup(0);
    alone.lose();
    expect(await published(alone, 20)).toBe(20);
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

  test('[LR2] a row that was to be published and does not come back counts as "too many messages"', async () => {
    const { clock, sender } = setup(4);
    const other = new Outbox({ session: random.session(), clientId: 5_000 });
    const append = (seq: number) => {
      expect(sender.audienceOf(other, seq)).toBe(4);
      sender.acknowledged(seq);
    };
    append(8);
    sender.published(8);
    await clock.run(5_000);
    append(9);
    await clock.run(2_900);
    expect([sender.diagnostics.share, sender.diagnostics.slowdowns]).toEqual([1, 0]);
    await clock.run(200);
    expect([sender.diagnostics.share, sender.diagnostics.slowdowns]).toEqual([0.5, 1]);
    // An append whose row no one waits for.
    expect(sender.audienceOf(other, 0)).toBe(4);
    sender.acknowledged(10);
    await clock.run(5_000);
    expect(sender.diagnostics.slowdowns).toBe(1);
  });

  test('[I9] after stopping, nothing more is sent and no timer is left', async () => {
    const { clock, sender, liveUpdates, type } = setup(1);
    type();
    type();
    sender.acknowledged(8);
    sender.stop();
    type();
    await clock.run(5_000);
    expect([liveUpdates.length, clock.pending]).toEqual([0, 0]);
  });
});
