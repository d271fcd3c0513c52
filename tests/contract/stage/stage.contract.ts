// The contract of presenting and of counting watchers: calls, answers and messages. Runs against the memory server, the embedded
// backend and any Supabase project.
import { describe, expect, test } from 'vitest';
import type { Place } from 'weft-sync/protocol/place.ts';
import { type PresentingMessage, decodePresenting } from 'weft-sync/protocol/presenting.ts';
import { EVENTS, liveTopic, viewTopic } from 'weft-sync/protocol/topics.ts';
import {
  type ContractFixture,
  type Member,
  RecordingChannel,
  codeOf,
  epochOf,
  newSession,
  pause,
  until,
  value,
  waitForSilence,
} from '../contract-fixture.ts';

const TOP: Place = { block: 'top', offset: 0 };
const END: Place = { block: 'end', offset: 7 };

function presenterOf({ document }: ContractFixture, { log }: Member) {
  const session = newSession();
  const call = (place: Place | null, starts: boolean) =>
    log.present({ document, session, place, starts, livePeers: null });
  return {
    session,
    start: () => call(TOP, true),
    goOn: (place = TOP) => call(place, false),
    stop: () => call(null, false),
  };
}

const saidOn = ({ received }: RecordingChannel): readonly (PresentingMessage | null)[] =>
  received.flatMap(({ event, payload, fromDatabase }) =>
    event === EVENTS.presenting && fromDatabase ? [decodePresenting(payload)] : [],
  );

export function stageContract(newFixture: () => Promise<ContractFixture>): void {
  describe('[PR1] presenting', () => {
    test('reaches the live and the view topic by name, and watchers by link without one', async () => {
      const fixture = await newFixture();
      const { document, editor, other, viewer, watchLog, secret, anonLink } = fixture;
      const epoch = await epochOf(fixture);
      const { topic } = await value(watchLog.openWatch(secret, 0));
      await value(viewer.log.keepWatching(document, 0));
      const live = await new RecordingChannel(other.link, liveTopic(document, epoch), newSession()).joined();
      const view = await new RecordingChannel(viewer.link, viewTopic(document, epoch), null).joined();
      const link = await new RecordingChannel(anonLink, topic, null).joined();
      const { session, start, stop } = presenterOf(fixture, editor);
      const { at, published, watching } = await value(start());
      expect([published, watching]).toEqual([true, 0]);
      const named = { at, place: TOP, session, user: editor.user };
      await until(() => [live, view, link].every((one) => saidOn(one).length > 0));
      expect([saidOn(live), saidOn(view), saidOn(link)]).toEqual([[named], [named], [{ at, place: TOP }]]);
      const over = (await value(stop())).at;
      expect(over).toBeGreaterThan(at);
      await until(() => [live, view, link].every((one) => saidOn(one).length > 1));
      expect(saidOn(link)[1]).toEqual({ at: over, place: null });
      for (const one of [live, view, link]) one.channel.leave();
    });

    test('answers name the presenter, and for a while the end', async () => {
      const fixture = await newFixture();
      const { document, editor, viewer, watchLog, secret } = fixture;
      const answers = async () => [
        (await value(viewer.log.open(document, 0))).presenting,
        (await value(viewer.log.rowsSince(document, 0, 1))).presenting,
        (await value(viewer.log.keepWatching(document, 0))).presenting,
        (await value(watchLog.openWatch(secret, 0))).presenting,
      ];
      expect(await answers()).toEqual([null, null, null, null]);
      const { session, start, stop } = presenterOf(fixture, editor);
      const { at } = await value(start());
      const byLink = { at, age: expect.any(Number), place: TOP };
      const named = { ...byLink, session, user: editor.user };
      expect(await answers()).toEqual([named, named, named, byLink]);
      await value(stop());
      expect((await answers()).map((answer) => answer?.place)).toEqual([null, null, null, null]);
    });
  });

  test('[PR5] one session presents; the same person takes over by beginning in another tab', async () => {
    const fixture = await newFixture();
    const { editor, other } = fixture;
    const first = presenterOf(fixture, editor);
    const second = presenterOf(fixture, editor);
    const theirs = presenterOf(fixture, other);
    await value(first.start());
    expect(await theirs.start()).toMatchObject({ ok: false, error: { code: 'WF015', detail: editor.user } });
    expect(await codeOf(theirs.stop())).toBe('ok');
    expect(await codeOf(second.goOn())).toBe('WF015');
    await value(second.start());
    expect(await codeOf(first.goOn())).toBe('WF015');
    expect(await codeOf(first.stop())).toBe('ok');
    await value(second.goOn());
    await value(second.stop());
    await value(theirs.start());
  });

  test('[PR4] [LG5] rights: only editors present, and no longer than they edit', async () => {
    const fixture = await newFixture();
    const { editor, other, outsider, viewer, document } = fixture;
    expect(await codeOf(presenterOf(fixture, viewer).start())).toBe('WF002');
    expect(await codeOf(presenterOf(fixture, outsider).start())).toBe('WF001');
    const { session, start, goOn } = presenterOf(fixture, other);
    await value(start());
    expect(
      await codeOf(editor.log.present({ document, session: newSession(), place: TOP, starts: true, livePeers: null })),
    ).toBe('WF015');
    await fixture.setOther('viewer');
    expect(await codeOf(goOn())).toBe('WF002');
    expect((await value(editor.log.rowsSince(document, 0, 1))).presenting).toMatchObject({ session, place: null });
    await value(presenterOf(fixture, editor).start());
  });

  test('[PR6] a place that comes too soon waits for the next call', async () => {
    const fixture = await newFixture();
    const { document, editor, other } = fixture;
    const live = new RecordingChannel(other.link, liveTopic(document, await epochOf(fixture)), newSession());
    await live.joined();
    const { start, goOn } = presenterOf(fixture, editor);
    await value(start());
    expect((await value(goOn(END))).published).toBe(false);
    await pause(600);
    expect((await value(goOn(END))).published).toBe(true);
    await until(() => saidOn(live).length > 1);
    await waitForSilence();
    expect(saidOn(live).map((message) => message?.place)).toEqual([TOP, END]);
    live.channel.leave();
  });

  test('[WC1] [WC2] watchers are counted from their own calls: people by name, links as a number', async () => {
    const fixture = await newFixture();
    const { document, editor, other, viewer, watchLog, secret } = fixture;
    const counted = async () => (await value(editor.log.rowsSince(document, 0, 1))).watchers;
    expect(await counted()).toEqual({ people: [], links: 0 });
    await value(viewer.log.keepWatching(document, 0, { watcher: newSession(), stance: 'follows' }));
    await value(other.log.rowsSince(document, 0, 1, { watcher: newSession(), stance: 'declined' }));
    await value(watchLog.openWatch(secret, 0, { watcher: newSession(), stance: 'follows' }));
    const quiet = { watcher: newSession(), stance: 'none' } as const;
    await value(watchLog.openWatch(secret, 0, quiet));
    await value(watchLog.openWatch(secret, 0, quiet));
    await value(watchLog.openWatch(secret, 0));
    // An editor who neither follows nor declines is no watcher, and one who declined is no reader.
    await value(editor.log.rowsSince(document, 0, 1, quiet));
    await value(editor.log.rowsSince(document, 0, 1, { ...quiet, watcher: newSession() }));
    expect(await counted()).toEqual({ people: [viewer.user], links: 2 });
    const { followers, watching } = await value(presenterOf(fixture, editor).start());
    expect([followers, watching]).toEqual([{ people: [viewer.user], links: 1, declined: [other.user] }, 4]);
    await fixture.revokeLink();
    expect((await counted())?.links).toBe(0);
  });
}
