// Decodes the frames that clients send, byte by byte, and malformed ones.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBinary, decodeText } from '../../../backend/realtime/wire/frame-decoder.ts';
import { userBroadcastPush } from './support/raw-client.ts';

describe('a text frame', () => {
  test('is an array of five', () => {
    expect(decodeText('["1","2","realtime:a","broadcast",{"event":"hi"}]')).toEqual({
      kind: 'message',
      joinRef: '1',
      ref: '2',
      topic: 'realtime:a',
      event: 'broadcast',
      payload: { event: 'hi' },
    });
  });

  test('of the older protocol is malformed', () => {
    expect(decodeText('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}')).toBeNull();
  });

  test('may be anything without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(decodeText(text)?.kind ?? 'message').toBe('message');
      }),
    );
  });
});

describe('a binary frame', () => {
  test('of kind 3 is the broadcast recorded from Supabase Realtime', () => {
    const recorded = Buffer.concat([
      Uint8Array.of(3, 1, 1, 13, 3, 0, 0),
      Buffer.from('13'),
      Buffer.from('realtime:pub2'),
      Buffer.from('bin'),
      Uint8Array.of(0, 1, 2, 0xfd, 0xfe, 0xff),
    ]);
    expect(decodeBinary(recorded)).toEqual({
      kind: 'broadcast',
      joinRef: '1',
      ref: '3',
      topic: 'realtime:pub2',
      event: 'bin',
      encoding: 'bytes',
      content: Buffer.from([0, 1, 2, 0xfd, 0xfe, 0xff]),
    });
  });

  test('that is cut anywhere in its names is malformed', () => {
    const whole = userBroadcastPush('1', '2', 'realtime:room', 'event', new Uint8Array(), '{"id":"x"}');
    for (let length = 0; length < whole.length; length++) expect(decodeBinary(whole.subarray(0, length))).toBeNull();
    expect(decodeBinary(whole)).not.toBeNull();
  });

  test('with a name that is not UTF-8 is malformed', () => {
    const bytes = Buffer.concat([Uint8Array.of(3, 0, 0, 1, 1, 0, 0), Uint8Array.of(0xff), Buffer.from('e')]);
    expect(decodeBinary(bytes)).toBeNull();
  });

  test('decodes to what was encoded, without the metadata', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(name, name, name, name, name, fc.uint8Array(), (joinRef, ref, topic, event, metadata, payload) => {
        expect(decodeBinary(userBroadcastPush(joinRef, ref, topic, event, payload, metadata))).toEqual({
          kind: 'broadcast',
          joinRef,
          ref,
          topic,
          event,
          encoding: 'bytes',
          content: Buffer.from(payload),
        });
      }),
    );
  });

  test('may be anything without an exception', () => {
    const header = fc.tuple(fc.constant(3), ...Array.from({ length: 6 }, () => fc.integer({ min: 0, max: 12 })));
    const almost = fc.tuple(header, fc.uint8Array()).map(([head, rest]) => Uint8Array.of(...head, ...rest));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), almost), (bytes) => {
        expect(decodeBinary(bytes)?.kind ?? 'broadcast').toBe('broadcast');
      }),
    );
  });
});
