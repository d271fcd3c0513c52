import { expect, test } from 'vitest';
import { Presence } from 'weft-sync/connection/presence.ts';
import { LiveTopic } from 'weft-sync/live/live-topic.ts';
import type { Link, LinkEvents } from 'weft-sync/ports.ts';
import { encodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { encodeRows } from 'weft-sync/protocol/row.ts';
import type { SessionEvent } from 'weft-sync/session-event.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { DOCUMENT, userId } from '../sync-harness.ts';

const random = seededRandom(1);
const self = { session: random.session(), user: userId(1) };
const peer = random.session();
const rows = encodeRows({ kind: 'fetch', head: 3 });
const empty = new Uint8Array(0);
const liveUpdate = encodeLiveUpdate({ session: peer, nFrom: 0, nTo: 0, head: 1, update: empty, caret: empty });

/** A topic over a link whose channels the test controls, and the events it emits. */
function setup() {
  const channels: { topic: string; on: LinkEvents; sent: string[]; left: boolean }[] = [];
  const link: Link = {
    join: (topic, _options, on) => {
      const channel = { topic, on, sent: [] as string[], left: false };
      channels.push(channel);
      return {
        send: (event) => void channel.sent.push(event),
        leave: () => {
          channel.left = true;
        },
      };
    },
  };
  const received: string[] = [];
  const emit = (event: SessionEvent) => {
    if (event.type === 'topicJoined') received.push('joined');
    else if (event.type === 'topicLost') received.push(`lost ${event.reason}`);
    else if (event.type === 'topicMoved') received.push('moved');
    else if (event.type === 'rowsPublished') received.push(`rows ${event.message.head}`);
    else if (event.type === 'besideSaid') received.push('beside');
    else if (event.type === 'liveUpdateReceived') received.push(`live update ${event.update.head}`);
  };
  const presence = new Presence(self, () => null);
  const context = { documentId: DOCUMENT, sessionId: self.session, presence, ports: { link }, emit };
  return { topic: new LiveTopic(context), presence, channels, received };
}

test('[SY7] messages of a channel that was left are ignored', () => {
  const { topic, presence, channels, received } = setup();
  topic.join('1.1');
  channels[0]?.on.joined();
  topic.join('2.1');
  const [old] = channels;
  old?.on.joined();
  old?.on.message('rows', rows, true);
  old?.on.peers([self.session, peer]);
  old?.on.lost('closed', '');
  expect(received).toEqual(['joined']);
  expect([old?.left, presence.isOnLive, topic.epoch, presence.peers, presence.others]).toEqual([
    true,
    false,
    '2.1',
    [],
    null,
  ]);
  channels[1]?.on.joined();
  channels[1]?.on.peers([self.session, peer]);
  channels[1]?.on.message('rows', rows, true);
  channels[1]?.on.message('live-update', liveUpdate, false);
  expect(received).toEqual(['joined', 'joined', 'rows 3', 'live update 1']);
  expect([presence.isOnLive, presence.others]).toEqual([true, 1]);
});

test('[SY7] a lost channel is given up: nothing is sent into it, and presence is empty', () => {
  const { topic, presence, channels, received } = setup();
  topic.join('1.1');
  topic.send(liveUpdate);
  channels[0]?.on.joined();
  channels[0]?.on.peers([self.session, peer]);
  topic.send(liveUpdate);
  channels[0]?.on.lost('disconnected', '');
  channels[0]?.on.lost('disconnected', '');
  topic.send(liveUpdate);
  expect(channels[0]?.sent).toEqual(['live-update']);
  expect([received, presence.peers, topic.epoch]).toEqual([['joined', 'lost disconnected'], [], null]);
});

test('[WA1] [I7] rows and "moved" count only from the database, live updates only from people, and malformed messages never', () => {
  const { topic, channels, received } = setup();
  topic.join('1.1');
  const say = channels[0]?.on.message;
  say?.('rows', rows, false);
  say?.('moved', empty, false);
  say?.('live-update', liveUpdate, true);
  say?.('rows', Uint8Array.of(9, 9), true);
  say?.('live-update', Uint8Array.of(9, 9), false);
  say?.('beside', new TextEncoder().encode(JSON.stringify({ user: self.user, beside: null })), false);
  say?.('something new', rows, true);
  expect(received).toEqual([]);
  say?.('moved', empty, true);
  expect(received).toEqual(['moved']);
});

test('[L5] presence counts the others only once it lists this session', () => {
  const { topic, presence, channels } = setup();
  topic.join('1.1');
  channels[0]?.on.joined();
  expect(presence.others).toBeNull();
  channels[0]?.on.peers([peer]);
  expect(presence.others).toBeNull();
  channels[0]?.on.peers([peer, self.session]);
  const before = presence.peers;
  channels[0]?.on.peers([self.session, peer]);
  expect([presence.others, presence.peers === before]).toEqual([1, true]);
});
