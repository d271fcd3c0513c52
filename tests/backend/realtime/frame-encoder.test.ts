// Encodes the frames that the server sends, byte by byte, in both protocol versions.
import { describe, expect, test } from 'vitest';
import { type Broadcast, encodeBroadcast, encodeMessage } from '../../../backend/realtime/wire/frame-encoder.ts';
import { broadcastDelivery } from '../../../backend/realtime/wire/delivery.ts';

const bytes = (broadcast: Partial<Broadcast>): Broadcast => ({
  topic: 'realtime:pub2',
  event: 'bin',
  meta: null,
  encoding: 'bytes',
  content: Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff),
  ...broadcast,
});
const json = (broadcast: Partial<Broadcast>): Broadcast =>
  bytes({ encoding: 'json', content: Buffer.from('{"id": "7", "hello": "db"}'), ...broadcast });

describe('a message', () => {
  const message = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'phx_close', payload: {} };

  test('is an array in protocol 2.0.0', () => {
    expect(encodeMessage('2.0.0', message)).toEqual({ data: '["1","2","realtime:a","phx_close",{}]', binary: false });
  });

  test('is an object without join_ref in protocol 1.0.0', () => {
    expect(encodeMessage('1.0.0', message)).toEqual({
      data: '{"ref":"2","event":"phx_close","topic":"realtime:a","payload":{}}',
      binary: false,
    });
  });
});

describe('a broadcast', () => {
  test('of bytes is the frame of kind 4 recorded from Supabase Realtime', () => {
    expect(encodeBroadcast('2.0.0', bytes({}))).toEqual({
      binary: true,
      data: Buffer.concat([
        Uint8Array.of(4, 0x0d, 3, 0, 0),
        Buffer.from('realtime:pub2bin'),
        Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff),
      ]),
    });
  });

  test('from the database carries the id of its row, and its JSON as the database wrote it', () => {
    const id = 'c62ae86a-0000-4000-8000-000000000000';
    const frame = encodeBroadcast('2.0.0', json({ topic: 'realtime:room1', event: 'from_db', meta: { id } }));
    expect(frame?.data).toEqual(
      Buffer.concat([
        Uint8Array.of(4, 0x0e, 7, 0x2d, 1),
        Buffer.from(`realtime:room1from_db{"id":"${id}"}{"id": "7", "hello": "db"}`),
      ]),
    );
  });

  test('reaches protocol 1.0.0 as JSON text', () => {
    expect(encodeBroadcast('1.0.0', json({ meta: { id: 'm' } }))).toEqual({
      binary: false,
      data: '{"ref":null,"event":"broadcast","topic":"realtime:pub2","payload":{"event":"bin","meta":{"id":"m"},"payload":{"id":"7","hello":"db"},"type":"broadcast"}}',
    });
  });

  test('of bytes does not reach protocol 1.0.0', () => {
    expect(encodeBroadcast('1.0.0', bytes({}))).toBeNull();
  });

  test('of invalid JSON does not reach protocol 1.0.0', () => {
    expect(encodeBroadcast('1.0.0', json({ content: Buffer.from('{') }))).toBeNull();
  });

  test.each([
    ['topic', { topic: `realtime:${'ä'.repeat(124)}` }],
    ['event', { event: 'e'.repeat(256) }],
  ])('with a %s above 255 bytes does not reach protocol 2.0.0', (_, names) => {
    expect(encodeBroadcast('2.0.0', json(names))).toBeNull();
    expect(encodeBroadcast('1.0.0', json(names))).not.toBeNull();
  });

  test('with a topic of exactly 255 bytes reaches protocol 2.0.0', () => {
    expect(encodeBroadcast('2.0.0', json({ topic: `realtime:${'ä'.repeat(123)}` }))).not.toBeNull();
  });

  test('is encoded once for all sockets of a protocol version', () => {
    const delivery = broadcastDelivery(json({}));
    expect(delivery.frame('2.0.0')).toBe(delivery.frame('2.0.0'));
    expect(delivery.frame('1.0.0')).toBe(delivery.frame('1.0.0'));
  });
});
