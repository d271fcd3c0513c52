// What every Link must do. Runs against the memory hub, the embedded Realtime and any Supabase project.
import { describe, expect, test } from 'vitest';
import { MAX_LIVE_UPDATE_BYTES } from '../../../src/protocol/limits.ts';
import { decodeRows } from '../../../src/protocol/row.ts';
import { EVENTS, liveTopic, viewTopic } from '../../../src/protocol/topics.ts';
import {
  Ear,
  type Member,
  type Stage,
  bytes,
  codeOf,
  epochOf,
  newSession,
  rest,
  silence,
  startedSession,
  until,
  value,
} from '../stage.ts';

export function linkContract(newStage: () => Promise<Stage>): void {
  const live = async (stage: Stage) => {
    const topic = liveTopic(stage.document, await epochOf(stage));
    const join = (member: Member) => new Ear(member.link, topic, { session: newSession(), user: member.user });
    return { topic, join };
  };

  test('[LK1] a joined peer sees everybody present, themselves included, until they leave', async () => {
    const stage = await newStage();
    const { join } = await live(stage);
    const alice = await join(stage.editor).joined();
    await until(() => alice.peers.length === 1);
    expect(alice.peers[0]?.user).toBe(stage.editor.user);
    const bob = await join(stage.other).joined();
    const viewer = await join(stage.viewer).joined();
    await until(() => [alice, bob, viewer].every((ear) => ear.peers.length === 3));
    expect(new Set(alice.peers.map(({ user }) => user))).toEqual(
      new Set([stage.editor.user, stage.other.user, stage.viewer.user]),
    );
    bob.channel.leave();
    await until(() => alice.peers.length === 2 && viewer.peers.length === 2);
    alice.channel.leave();
    viewer.channel.leave();
  });

  test('[LK2] bytes arrive unchanged, at the others only, and not marked as from the database', async () => {
    const stage = await newStage();
    const { join } = await live(stage);
    const alice = await join(stage.editor).joined();
    const bob = await join(stage.other).joined();
    const viewer = await join(stage.viewer).joined();
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    // A view into a larger buffer: only its own bytes may be sent.
    alice.channel.send('live-update', all.subarray(3, 250).slice());
    viewer.channel.send('live-update', bytes(1));
    await until(() => bob.heard.length === 1 && viewer.heard.length === 1);
    await silence();
    expect(bob.heard).toEqual([{ event: 'live-update', payload: all.slice(3, 250), fromDatabase: false }]);
    expect(alice.heard).toEqual([]);
    for (const ear of [alice, bob, viewer]) ear.channel.leave();
  });

  test('[LK2] bytes of any length that a live update may have arrive', async () => {
    const stage = await newStage();
    const { join } = await live(stage);
    const alice = await join(stage.editor).joined();
    const bob = await join(stage.other).joined();
    const sent = [1, 2, 255, 256, 4_096, MAX_LIVE_UPDATE_BYTES].map((length, at) =>
      Uint8Array.from({ length }, (_, index) => (index * 31 + at) % 256),
    );
    for (const payload of sent) alice.channel.send(EVENTS.liveUpdate, payload);
    await until(() => bob.heard.length === sent.length);
    // The order is not guaranteed.
    const heard = bob.heard.map(({ payload }) => payload).sort((a, b) => a.length - b.length);
    expect(heard).toEqual(sent);
    for (const ear of [alice, bob]) ear.channel.leave();
  });

  test('[LK3] a client cannot pass off its bytes as the database’s', async () => {
    const stage = await newStage();
    const { join } = await live(stage);
    const alice = await join(stage.editor).joined();
    const bob = await join(stage.other).joined();
    for (const event of [EVENTS.rows, EVENTS.moved]) alice.channel.send(event, bytes(1, 2, 3));
    await until(() => bob.heard.length === 2);
    expect(bob.heard.map(({ fromDatabase }) => fromDatabase)).toEqual([false, false]);
    for (const ear of [alice, bob]) ear.channel.leave();
  });

  describe('[LK3] rows from the database', () => {
    test('arrive at everybody on the topic, unless the author said that nobody is there', async () => {
      const stage = await newStage();
      const { join } = await live(stage);
      const bob = await join(stage.other).joined();
      const viewer = await join(stage.viewer).joined();
      const { append, session } = await startedSession(stage, stage.editor);
      await value(stage.editor.log.append(append(1, 1, { livePeers: 0 })));
      await value(stage.editor.log.append(append(2, 2, { livePeers: 2, update: bytes(0, 0, 9) })));
      await until(() => bob.heard.length > 0 && viewer.heard.length > 0);
      await silence();
      for (const { heard } of [bob, viewer]) {
        expect(heard.length).toBe(1);
        expect(heard[0]).toMatchObject({ event: EVENTS.rows, fromDatabase: true });
        const message = decodeRows(heard[0]?.payload ?? bytes());
        expect(message).toMatchObject({
          ok: true,
          value: { kind: 'rows', head: 3, rows: [{ seq: 3, session, nTo: 2 }] },
        });
      }
      bob.channel.leave();
      viewer.channel.leave();
    });

    test('are only announced if they are too large for a message', async () => {
      const stage = await newStage();
      const { join } = await live(stage);
      const bob = await join(stage.other).joined();
      const { append } = await startedSession(stage, stage.editor);
      await value(stage.editor.log.append(append(1, 1, { update: new Uint8Array(300 * 1024).fill(7) })));
      await until(() => bob.heard.length === 1);
      expect(decodeRows(bob.heard[0]?.payload ?? bytes())).toEqual({ ok: true, value: { kind: 'fetch', head: 2 } });
      bob.channel.leave();
    });
  });

  test('[LK4] a refused join is reported once, and nothing follows', async () => {
    const stage = await newStage();
    const { topic, join } = await live(stage);
    const refused = [
      join(stage.stranger),
      new Ear(stage.anonLink, topic, null),
      new Ear(stage.editor.link, liveTopic(stage.document, '99.99'), null),
    ];
    await until(() => refused.every((ear) => ear.said.length > 0), 20_000);
    const { append } = await startedSession(stage, stage.editor);
    await value(stage.editor.log.append(append(1, 1)));
    // realtime-js would retry by itself after a second.
    await rest(1_500);
    for (const ear of refused) expect([ear.said, ear.heard]).toEqual([['lost denied'], []]);
  });

  test('[LK4] a member who loses access learns that the topic moved, and may not join the new one', async () => {
    const stage = await newStage();
    const { join, topic } = await live(stage);
    const viewer = await join(stage.viewer).joined();
    const bob = await join(stage.other).joined();
    await stage.removeViewer();
    await until(() => viewer.heard.length > 0 && bob.heard.length > 0);
    expect(bob.heard[0]).toMatchObject({ event: EVENTS.moved, fromDatabase: true });
    const moved = liveTopic(stage.document, await epochOf(stage));
    expect(moved).not.toBe(topic);
    const outside = new Ear(stage.viewer.link, moved, null);
    const inside = await new Ear(stage.other.link, moved, null).joined();
    await until(() => outside.said.length > 0, 20_000);
    expect(outside.said).toEqual(['lost denied']);
    for (const ear of [viewer, bob, inside]) ear.channel.leave();
  });

  test('[LK5] a topic can be joined again right after leaving it, repeatedly', async () => {
    const stage = await newStage();
    const { join } = await live(stage);
    const alice = await join(stage.editor).joined();
    for (let i = 0; i < 5; i++) {
      const first = join(stage.other);
      if (i % 2 === 0) await first.joined();
      first.channel.leave();
      const second = await join(stage.other).joined();
      alice.channel.send('live-update', bytes(i));
      await until(() => second.heard.length === 1);
      expect(second.heard[0]?.payload).toEqual(bytes(i));
      second.channel.leave();
      first.channel.send('live-update', bytes(99));
      await rest(20);
      expect(first.heard).toEqual([]);
    }
    await until(() => alice.peers.length === 1);
    expect(alice.heard).toEqual([]);
    alice.channel.leave();
  });

  test('[LK5] messages sent before the join go nowhere', async () => {
    const stage = await newStage();
    const { join } = await live(stage);
    const bob = await join(stage.other).joined();
    const alice = join(stage.editor);
    alice.channel.send('live-update', bytes(1));
    await alice.joined();
    await silence();
    expect(bob.heard).toEqual([]);
    alice.channel.send('live-update', bytes(2));
    await until(() => bob.heard.length === 1);
    expect(bob.heard[0]?.payload).toEqual(bytes(2));
    alice.channel.leave();
    bob.channel.leave();
  });

  describe('[VT2] [VT3] the view topic', () => {
    test('brings rows while somebody keeps it alive, nothing from clients, and moves with the epoch', async () => {
      const stage = await newStage();
      const epoch = await epochOf(stage);
      const topic = viewTopic(stage.document, epoch);
      const viewer = await new Ear(stage.viewer.link, topic, null).joined();
      const second = await new Ear(stage.other.link, topic, null).joined();
      const stranger = new Ear(stage.stranger.link, topic, null);
      const { append } = await startedSession(stage, stage.editor);
      await value(stage.editor.log.append(append(1, 1, { livePeers: 0 })));
      await silence();
      expect(viewer.heard).toEqual([]);
      const kept = await value(stage.viewer.log.keepWatching(stage.document, 1));
      expect(kept).toMatchObject({ head: 2, more: false, role: 'viewer', epoch, rows: [{ seq: 2 }] });
      expect(await codeOf(stage.stranger.log.keepWatching(stage.document, 0))).toBe('WF001');
      await value(stage.editor.log.append(append(2, 2, { livePeers: 0 })));
      await until(() => viewer.heard.length === 1 && second.heard.length === 1);
      expect(viewer.heard[0]).toMatchObject({ event: EVENTS.rows, fromDatabase: true });
      const message = decodeRows(viewer.heard[0]?.payload ?? bytes());
      expect(message).toMatchObject({ ok: true, value: { head: 3 } });
      // Editors may not send here either.
      for (const { channel } of [viewer, second]) channel.send('live-update', bytes(1));
      await silence();
      expect([viewer.heard.length, second.heard.length, viewer.peers]).toEqual([1, 1, []]);
      await stage.removeViewer();
      await until(() => second.heard.length === 2);
      expect(second.heard[1]).toMatchObject({ event: EVENTS.moved, fromDatabase: true });
      expect(await codeOf(stage.viewer.log.keepWatching(stage.document, 0))).toBe('WF001');
      await until(() => stranger.said.length > 0);
      expect(stranger.said).toEqual(['lost denied']);
      for (const { channel } of [viewer, second, stranger]) channel.leave();
    });
  });

  describe('[LK6] watchers', () => {
    test('receive what the database publishes, cannot send, and learn that the link has ended', async () => {
      const stage = await newStage();
      const { topic } = await value(stage.watchLog.openWatch(stage.secret, 0));
      const watcher = await new Ear(stage.anonLink, topic, null).joined();
      const second = await new Ear(stage.viewer.link, topic, null).joined();
      const { append } = await startedSession(stage, stage.editor);
      await value(stage.editor.log.append(append(1, 1, { livePeers: 0 })));
      await until(() => watcher.heard.length === 1 && second.heard.length === 1);
      expect(watcher.heard[0]).toMatchObject({ event: EVENTS.rows, fromDatabase: true });
      expect(decodeRows(watcher.heard[0]?.payload ?? bytes())).toMatchObject({
        ok: true,
        value: { rows: [{ seq: 2 }] },
      });
      watcher.channel.send('rows', bytes(1));
      second.channel.send('rows', bytes(1));
      await silence();
      expect([watcher.heard.length, second.heard.length]).toEqual([1, 1]);
      await stage.revokeLink();
      await until(() => watcher.heard.length === 2);
      expect(watcher.heard[1]).toMatchObject({ event: EVENTS.ended, fromDatabase: true });
      watcher.channel.leave();
      second.channel.leave();
    });

    test('get several appends within one second as one message, which the last author requests', async () => {
      const stage = await newStage();
      const { topic } = await value(stage.watchLog.openWatch(stage.secret, 0));
      const watcher = await new Ear(stage.anonLink, topic, null).joined();
      // All at once, so that they fall into one second even on a distant server.
      const writers = await Promise.all([1, 2, 3].map(() => startedSession(stage, stage.editor)));
      const answers = await Promise.all(writers.map(({ append }) => value(stage.editor.log.append(append(1, 1)))));
      const told = answers.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)).map(({ unpublished }) => unpublished);
      expect(told).toEqual([false, true, true]);
      await until(() => watcher.heard.length === 1);
      await rest(1_050);
      await value(stage.editor.log.publishPending(stage.document));
      await until(() => watcher.heard.length === 2);
      const tail = decodeRows(watcher.heard[1]?.payload ?? bytes());
      expect(tail).toMatchObject({ ok: true, value: { head: 4, rows: [{ seq: 3 }, { seq: 4 }] } });
      watcher.channel.leave();
    });
  });
}
