// The contract of every Link. Runs against the memory hub, the embedded Realtime and any Supabase project.
import { describe, expect, test } from 'vitest';
import { MAX_LIVE_UPDATE_BYTES } from 'weft-sync/protocol/limits.ts';
import { decodeRows } from 'weft-sync/protocol/row.ts';
import { EVENTS, liveTopic, viewTopic } from 'weft-sync/protocol/topics.ts';
import {
  RecordingChannel,
  type Member,
  type ContractFixture,
  bytes,
  codeOf,
  epochOf,
  newSession,
  pause,
  waitForSilence,
  startedSession,
  until,
  value,
} from '../contract-fixture.ts';

export function linkContract(newFixture: () => Promise<ContractFixture>): void {
  const live = async (fixture: ContractFixture) => {
    const topic = liveTopic(fixture.document, await epochOf(fixture));
    const join = (member: Member, session = newSession()) => new RecordingChannel(member.link, topic, session);
    return { topic, join };
  };

  test('[LK1] a joined peer sees everyone present, themselves included, until they leave', async () => {
    const fixture = await newFixture();
    const { join } = await live(fixture);
    const sessions = [newSession(), newSession(), newSession()] as const;
    const alice = await join(fixture.editor, sessions[0]).joined();
    await until(() => alice.peers.length === 1);
    expect(alice.peers).toEqual([sessions[0]]);
    const bob = await join(fixture.other, sessions[1]).joined();
    const viewer = await join(fixture.viewer, sessions[2]).joined();
    await until(() => [alice, bob, viewer].every((one) => one.peers.length === 3));
    expect(new Set(alice.peers)).toEqual(new Set(sessions));
    bob.channel.leave();
    await until(() => alice.peers.length === 2 && viewer.peers.length === 2);
    alice.channel.leave();
    viewer.channel.leave();
  });

  test('[LK2] bytes arrive unchanged, at the others only, and not marked as from the database', async () => {
    const fixture = await newFixture();
    const { join } = await live(fixture);
    const alice = await join(fixture.editor).joined();
    const bob = await join(fixture.other).joined();
    const viewer = await join(fixture.viewer).joined();
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    // A view into a larger buffer: only its own bytes may be sent.
    alice.channel.send('live-update', all.subarray(3, 250).slice());
    viewer.channel.send('live-update', bytes(1));
    await until(() => bob.received.length === 1 && viewer.received.length === 1);
    await waitForSilence();
    expect(bob.received).toEqual([{ event: 'live-update', payload: all.slice(3, 250), fromDatabase: false }]);
    expect(alice.received).toEqual([]);
    for (const one of [alice, bob, viewer]) one.channel.leave();
  });

  test('[LK2] bytes of any length that a live update may have arrive', async () => {
    const fixture = await newFixture();
    const { join } = await live(fixture);
    const alice = await join(fixture.editor).joined();
    const bob = await join(fixture.other).joined();
    const sent = [1, 2, 255, 256, 4_096, MAX_LIVE_UPDATE_BYTES].map((length, at) =>
      Uint8Array.from({ length }, (_, index) => (index * 31 + at) % 256),
    );
    for (const payload of sent) alice.channel.send(EVENTS.liveUpdate, payload);
    await until(() => bob.received.length === sent.length);
    // The order is not guaranteed.
    const received = bob.received.map(({ payload }) => payload).sort((a, b) => a.length - b.length);
    expect(received).toEqual(sent);
    for (const one of [alice, bob]) one.channel.leave();
  });

  test('[LK3] a client cannot pass off its bytes as the database’s', async () => {
    const fixture = await newFixture();
    const { join } = await live(fixture);
    const alice = await join(fixture.editor).joined();
    const bob = await join(fixture.other).joined();
    for (const event of [EVENTS.rows, EVENTS.moved]) alice.channel.send(event, bytes(1, 2, 3));
    await until(() => bob.received.length === 2);
    expect(bob.received.map(({ fromDatabase }) => fromDatabase)).toEqual([false, false]);
    for (const one of [alice, bob]) one.channel.leave();
  });

  describe('[LK3] rows from the database', () => {
    test('arrive at everyone on the topic, unless the author said that no one is there', async () => {
      const fixture = await newFixture();
      const { join } = await live(fixture);
      const bob = await join(fixture.other).joined();
      const viewer = await join(fixture.viewer).joined();
      const { append, session } = await startedSession(fixture, fixture.editor);
      await value(fixture.editor.log.append(append(1, 1, { livePeers: 0 })));
      await value(fixture.editor.log.append(append(2, 2, { livePeers: 2, update: bytes(0, 0, 9) })));
      await until(() => bob.received.length > 0 && viewer.received.length > 0);
      await waitForSilence();
      for (const { received } of [bob, viewer]) {
        expect(received.length).toBe(1);
        expect(received[0]).toMatchObject({ event: EVENTS.rows, fromDatabase: true });
        const message = decodeRows(received[0]?.payload ?? bytes());
        expect(message).toMatchObject({
          ok: true,
          value: { kind: 'rows', head: 3, rows: [{ seq: 3, session, nTo: 2 }] },
        });
      }
      bob.channel.leave();
      viewer.channel.leave();
    });

    test('are only announced if they are too large for a message', async () => {
      const fixture = await newFixture();
      const { join } = await live(fixture);
      const bob = await join(fixture.other).joined();
      const { append } = await startedSession(fixture, fixture.editor);
      await value(fixture.editor.log.append(append(1, 1, { update: new Uint8Array(300 * 1024).fill(7) })));
      await until(() => bob.received.length === 1);
      expect(decodeRows(bob.received[0]?.payload ?? bytes())).toEqual({ ok: true, value: { kind: 'fetch', head: 2 } });
      bob.channel.leave();
    });
  });

  // Both run together, because a refusal takes five seconds. A socket gets its refusals one after the other, so that a third test
  // would take as long again.
  test.concurrent('[LK4] a refused join is reported once, and nothing follows', async () => {
    const fixture = await newFixture();
    const { topic, join } = await live(fixture);
    const refused = [
      join(fixture.outsider),
      new RecordingChannel(fixture.anonLink, topic, null),
      new RecordingChannel(fixture.editor.link, liveTopic(fixture.document, '99.99'), null),
    ];
    await until(() => refused.every((one) => one.events.length > 0), 20_000);
    const { append } = await startedSession(fixture, fixture.editor);
    await value(fixture.editor.log.append(append(1, 1)));
    // realtime-js would retry by itself after a second.
    await pause(1_500);
    for (const one of refused) expect([one.events, one.received]).toEqual([['lost denied'], []]);
  });

  test.concurrent('[LK4] a member who loses access learns that the topic moved, and may not join the new one', async () => {
    const fixture = await newFixture();
    const { join, topic } = await live(fixture);
    const viewer = await join(fixture.viewer).joined();
    const bob = await join(fixture.other).joined();
    await fixture.removeViewer();
    await until(() => viewer.received.length > 0 && bob.received.length > 0);
    expect(bob.received[0]).toMatchObject({ event: EVENTS.moved, fromDatabase: true });
    const moved = liveTopic(fixture.document, await epochOf(fixture));
    expect(moved).not.toBe(topic);
    const outside = new RecordingChannel(fixture.viewer.link, moved, null);
    const inside = await new RecordingChannel(fixture.other.link, moved, null).joined();
    await until(() => outside.events.length > 0, 20_000);
    expect(outside.events).toEqual(['lost denied']);
    for (const one of [viewer, bob, inside]) one.channel.leave();
  });

  test('[LK5] a topic can be joined again right after leaving it, repeatedly', async () => {
    const fixture = await newFixture();
    const { join } = await live(fixture);
    const alice = await join(fixture.editor).joined();
    for (let i = 0; i < 5; i++) {
      const first = join(fixture.other);
      if (i % 2 === 0) await first.joined();
      first.channel.leave();
      const second = await join(fixture.other).joined();
      alice.channel.send('live-update', bytes(i));
      await until(() => second.received.length === 1);
      expect(second.received[0]?.payload).toEqual(bytes(i));
      second.channel.leave();
      first.channel.send('live-update', bytes(99));
      await pause(20);
      expect(first.received).toEqual([]);
    }
    await until(() => alice.peers.length === 1);
    expect(alice.received).toEqual([]);
    alice.channel.leave();
  });

  test('[LK5] messages sent before the join go nowhere', async () => {
    const fixture = await newFixture();
    const { join } = await live(fixture);
    const bob = await join(fixture.other).joined();
    const alice = join(fixture.editor);
    alice.channel.send('live-update', bytes(1));
    await alice.joined();
    await waitForSilence();
    expect(bob.received).toEqual([]);
    alice.channel.send('live-update', bytes(2));
    await until(() => bob.received.length === 1);
    expect(bob.received[0]?.payload).toEqual(bytes(2));
    alice.channel.leave();
    bob.channel.leave();
  });

  describe('[LK6] watchers', () => {
    test('receive what the database publishes, cannot send, and learn that the link has ended', async () => {
      const fixture = await newFixture();
      const { topic } = await value(fixture.watchLog.openWatch(fixture.secret, 0));
      const watcher = await new RecordingChannel(fixture.anonLink, topic, null).joined();
      const second = await new RecordingChannel(fixture.viewer.link, topic, null).joined();
      const { append } = await startedSession(fixture, fixture.editor);
      await value(fixture.editor.log.append(append(1, 1, { livePeers: 0 })));
      await until(() => watcher.received.length === 1 && second.received.length === 1);
      expect(watcher.received[0]).toMatchObject({ event: EVENTS.rows, fromDatabase: true });
      expect(decodeRows(watcher.received[0]?.payload ?? bytes())).toMatchObject({
        ok: true,
        value: { rows: [{ seq: 2 }] },
      });
      watcher.channel.send('rows', bytes(1));
      second.channel.send('rows', bytes(1));
      await waitForSilence();
      expect([watcher.received.length, second.received.length]).toEqual([1, 1]);
      await fixture.revokeLink();
      await until(() => watcher.received.length === 2);
      expect(watcher.received[1]).toMatchObject({ event: EVENTS.ended, fromDatabase: true });
      watcher.channel.leave();
      second.channel.leave();
    });

    test('get several appends within one second as one message, which the last author requests', async () => {
      const fixture = await newFixture();
      const { topic } = await value(fixture.watchLog.openWatch(fixture.secret, 0));
      const watcher = await new RecordingChannel(fixture.anonLink, topic, null).joined();
      // All at once, so that they fall into one second even on a distant server.
      const writers = await Promise.all([1, 2, 3].map(() => startedSession(fixture, fixture.editor)));
      const answers = await Promise.all(writers.map(({ append }) => value(fixture.editor.log.append(append(1, 1)))));
      const unpublished = answers.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0)).map(({ unpublished }) => unpublished);
      expect(unpublished).toEqual([false, true, true]);
      await until(() => watcher.received.length === 1);
      await pause(1_050);
      await value(fixture.editor.log.publishPending(fixture.document));
      await until(() => watcher.received.length === 2);
      const tail = decodeRows(watcher.received[1]?.payload ?? bytes());
      expect(tail).toMatchObject({ ok: true, value: { head: 4, rows: [{ seq: 3 }, { seq: 4 }] } });
      watcher.channel.leave();
    });
  });

  // The last: in supabase.contract.test.ts another test that waits for refusals runs together with it.
  describe.concurrent('[VT2] [VT3] the view topic', () => {
    test('brings rows while someone keeps it alive, nothing from clients, and moves with the epoch', async () => {
      const fixture = await newFixture();
      const epoch = await epochOf(fixture);
      const topic = viewTopic(fixture.document, epoch);
      const viewer = await new RecordingChannel(fixture.viewer.link, topic, null).joined();
      const second = await new RecordingChannel(fixture.other.link, topic, null).joined();
      const outsider = new RecordingChannel(fixture.outsider.link, topic, null);
      const { append } = await startedSession(fixture, fixture.editor);
      await value(fixture.editor.log.append(append(1, 1, { livePeers: 0 })));
      await waitForSilence();
      expect(viewer.received).toEqual([]);
      const kept = await value(fixture.viewer.log.keepWatching(fixture.document, 1));
      expect(kept).toMatchObject({ head: 2, more: false, role: 'viewer', epoch, rows: [{ seq: 2 }] });
      expect(await codeOf(fixture.outsider.log.keepWatching(fixture.document, 0))).toBe('WF001');
      await value(fixture.editor.log.append(append(2, 2, { livePeers: 0 })));
      await until(() => viewer.received.length === 1 && second.received.length === 1);
      expect(viewer.received[0]).toMatchObject({ event: EVENTS.rows, fromDatabase: true });
      const message = decodeRows(viewer.received[0]?.payload ?? bytes());
      expect(message).toMatchObject({ ok: true, value: { head: 3 } });
      // Editors may not send here either.
      for (const { channel } of [viewer, second]) channel.send('live-update', bytes(1));
      await waitForSilence();
      expect([viewer.received.length, second.received.length, viewer.peers]).toEqual([1, 1, []]);
      await fixture.removeViewer();
      await until(() => second.received.length === 2);
      expect(second.received[1]).toMatchObject({ event: EVENTS.moved, fromDatabase: true });
      expect(await codeOf(fixture.viewer.log.keepWatching(fixture.document, 0))).toBe('WF001');
      await until(() => outsider.events.length > 0);
      expect(outsider.events).toEqual(['lost denied']);
      for (const { channel } of [viewer, second, outsider]) channel.leave();
    });
  });
}
