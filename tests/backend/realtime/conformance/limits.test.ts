// The limits: channels per socket, idle time, and messages per second.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { useTarget } from './target.ts';

const target = useTarget({ meetsLimits: true });
const { room, topic, facts } = target;
const PUBLIC = { private: false };

// A project's rate counters would still affect the next test files.
afterAll(() => delay(target.facts.rateWindowMs), 120_000);

test('a socket that sends nothing is closed with 1000', { timeout: facts.idleTimeoutMs + 30_000 }, async () => {
  const client = await target.connect();
  await client.join(topic, PUBLIC);
  const last = performance.now();
  expect(await client.closed).toBe(1000);
  expect(performance.now() - last).toBeGreaterThan(facts.idleTimeoutMs - 50);
});

test('a socket has a maximum of channels, and may join another after leaving one', { timeout: 60_000 }, async () => {
  const client = await target.connect();
  for (let n = 0; n < facts.maxChannels; n++) {
    expect(await client.join(`${topic}-${n}`, PUBLIC, undefined, `${n}`)).toMatchObject({ status: 'ok' });
  }
  expect(await client.join(`${topic}-more`, PUBLIC, undefined, 'more')).toEqual({
    status: 'error',
    response: { reason: 'ChannelRateLimitReached: Too many channels' },
  });
  client.send(['0', 'leave', `${topic}-0`, 'phx_leave', {}]);
  await client.upTo('phx_close');
  expect(await client.join(`${topic}-more`, PUBLIC, undefined, 'again')).toMatchObject({ status: 'ok' });
});

test('too many messages per second close the channels that receive them', { timeout: 120_000 }, async () => {
  const [sender, receiver] = [await target.connect(), await target.connect()];
  await sender.join(topic, { ...PUBLIC, broadcast: { ack: true } });
  await receiver.join(topic, PUBLIC);
  const stopped = new AbortController();
  const frames = receiver.upTo('phx_close').finally(() => stopped.abort());
  // Above the limit for any averaging period, since deliveries count too.
  const perTick = facts.maxEventsPerSecond / 50;
  let sent = 0;
  while (!stopped.signal.aborted) {
    for (let n = 0; n < 2 * perTick; n++, sent++) {
      sender.send(['1', `${sent}`, topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
    }
    receiver.send([null, 'beat', 'phoenix', 'heartbeat', {}]);
    await delay(20);
  }
  expect((await frames).slice(-2)).toEqual([
    [
      '1',
      null,
      topic,
      'system',
      { message: 'Too many messages per second', status: 'error', extension: 'system', channel: room },
    ],
    ['1', '1', topic, 'phx_close', {}],
  ]);
  // The sender gets no message and stays open.
  const acknowledged = await sender.rest(topic);
  expect(acknowledged).toContainEqual(['1', `${sent - 1}`, topic, 'phx_reply', { status: 'ok', response: {} }]);
  expect(acknowledged).not.toContainEqual(expect.arrayContaining(['system']));

  // Joining is allowed at once; the first message closes the channel again until the average has fallen.
  await receiver.rest();
  expect(await receiver.join(topic, PUBLIC, undefined, '2')).toMatchObject({ status: 'ok' });
  sender.send(['1', 'once', topic, 'broadcast', { type: 'broadcast', event: 'hi', payload: {} }]);
  expect((await receiver.upTo('phx_close')).at(-1)).toEqual(['2', '2', topic, 'phx_close', {}]);
});
