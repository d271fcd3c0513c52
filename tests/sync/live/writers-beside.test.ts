// People who may send no carets, writing in a text beside the page: only the database says so.
import { expect, test } from 'vitest';
import { WRITER_GONE_MS } from 'weft-sync/live/writers-beside.ts';
import { decodeBeside } from 'weft-sync/protocol/beside.ts';
import { EVENTS, liveTopic } from 'weft-sync/protocol/topics.ts';
import { DOCUMENT, SyncHarness, type TestTab } from '../sync-harness.ts';

const TEXT = '00000005-0000-4000-8000-000000000001';
const OTHER_TEXT = '00000005-0000-4000-8000-000000000002';
const bytes = (message: unknown) => new TextEncoder().encode(JSON.stringify(message));

/** Who writes where, as this tab shows it. */
const writersOf = ({ session: { awareness } }: TestTab): unknown[] =>
  [...awareness.getStates()].flatMap(([key, { user, cursor }]) =>
    key === awareness.clientID ? [] : [[user, Object(cursor).beside]],
  );

async function opened() {
  const harness = new SyncHarness();
  const alice = await harness.user('alice').opened();
  const ben = harness.user('ben', 'commenter').user;
  const say = (beside: string | null) =>
    harness.server.hub.publish(harness.server.topic(DOCUMENT), EVENTS.beside, bytes({ user: ben, beside }));
  return { harness, alice, ben, say };
}

test('[CA6] a writer whom the database names is shown until they stop', async () => {
  const { harness, alice, ben, say } = await opened();
  say(TEXT);
  await harness.run(10);
  expect(writersOf(alice)).toEqual([[ben, TEXT]]);
  say(OTHER_TEXT);
  await harness.run(10);
  expect(writersOf(alice)).toEqual([[ben, OTHER_TEXT]]);
  say(null);
  await harness.run(10);
  expect(writersOf(alice)).toEqual([]);
});

test('[CA6] a writer of whom nothing more is said is gone after 15 s, and no sooner than that after the last message', async () => {
  const { harness, alice, say } = await opened();
  say(TEXT);
  await harness.run(WRITER_GONE_MS - 100);
  say(TEXT);
  await harness.run(WRITER_GONE_MS - 100);
  expect(writersOf(alice)).toHaveLength(1);
  await harness.run(200);
  expect(writersOf(alice)).toEqual([]);
});

test('[CA6] no one is shown as writing by what a person sends, whatever their role, or by a malformed message', async () => {
  const { harness, alice, ben } = await opened();
  for (const [name, role] of [
    ['mallory', 'editor'],
    ['mel', 'commenter'],
    ['vic', 'viewer'],
  ] as const) {
    const { user } = harness.user(name, role);
    const channel = harness.server.hub
      .link(user)
      .join(
        liveTopic(DOCUMENT, alice.epoch),
        { presence: null },
        { joined: () => {}, lost: () => {}, message: () => {}, peers: () => {} },
      );
    await harness.run(10);
    channel.send(EVENTS.beside, bytes({ user: ben, beside: TEXT }));
    await harness.run(100);
  }
  for (const message of [null, 7, {}, { user: ben }, { user: 'x', beside: TEXT }, { user: ben, beside: 'x' }, [TEXT]]) {
    harness.server.hub.publish(harness.server.topic(DOCUMENT), EVENTS.beside, bytes(message));
    await harness.run(10);
  }
  expect(writersOf(alice)).toEqual([]);
  expect(decodeBeside(bytes({ user: ben, beside: TEXT, more: 'x'.repeat(300) }))).toBeNull();
  expect(decodeBeside(Uint8Array.of(0xff, 0xfe))).toBeNull();
});

test('[CA6] who leaves the topic, or closes the page, shows no one who writes', async () => {
  const { harness, alice, say } = await opened();
  say(TEXT);
  await harness.run(10);
  expect(writersOf(alice)).toHaveLength(1);
  harness.server.moveTopic(DOCUMENT);
  await harness.run(10_000);
  expect(writersOf(alice)).toEqual([]);
  say(TEXT);
  await harness.run(10);
  expect(writersOf(alice)).toHaveLength(1);
  await alice.session.close();
  expect(writersOf(alice)).toEqual([]);
});
