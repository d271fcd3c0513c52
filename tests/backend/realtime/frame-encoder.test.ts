// Encodes the frames that the server sends, byte by byte.
import { describe, expect, test } from 'vitest';
import { type Broadcast, encodeBroadcast, encodeMessage } from '../../../backend/realtime/wire/frame-encoder.ts';

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

test('a message is an array', () => {
  const message = { joinRef: '1', ref: '2', topic: 'realtime:a', event: 'phx_close', payload: {} };
  expect(encodeMessage(message)).toEqual({ data: '["1","2","realtime:a","phx_close",{}]', binary: false });
});

describe('a broadcast', () => {
  test('of bytes is the frame of kind 4 recorded from Supabase Realtime', () => {
    expect(encodeBroadcast(bytes({}))).toEqual({
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
    const frame = encodeBroadcast(json({ topic: 'realtime:room1', event: 'from_db', meta: { id } }));
    expect(frame?.data).toEqual(
      Buffer.concat([
        Uint8Array.of(4, 0x0e, 7, 0x2d, 1),
        Buffer.from(`realtime:room1from_db{"id":"${id}"}{"id": "7", "hello": "db"}`),
      ]),
    );
  });

  test.each([
    ['topic', { topic: `realtime:${'ä'.repeat(124)}` }],
    ['event', { event: 'e'.repeat(256) }],
  ])('with a %s above 255 bytes is sent to no one', (_, names) => {
    expect(encodeBroadcast(json(names))).toBeNull();
  });

  test('with a topic of exactly 255 bytes is sent', () => {
    expect(encodeBroadcast(json({ topic: `realtime:${'ä'.repeat(123)}` }))).not.toBeNull();
  });
});
