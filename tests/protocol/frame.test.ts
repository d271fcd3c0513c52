import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/platform/memory/seeded-random.ts';
import { type Frame, decodeFrame, encodeFrame } from '../../src/protocol/frame.ts';
import { MAX_FRAME_BYTES, MAX_N } from '../../src/protocol/limits.ts';

const bytes = fc.uint8Array({ maxLength: 60 }).map((one) => new Uint8Array(one));
const frame: fc.Arbitrary<Frame> = fc
  .record({
    seed: fc.nat(),
    nFrom: fc.integer({ min: 1, max: MAX_N - 1000 }),
    more: fc.nat({ max: 1000 }),
    head: fc.nat({ max: 2 ** 45 }),
    update: bytes,
    caret: bytes,
  })
  .map(({ seed, nFrom, more, ...rest }) => ({
    session: seededRandom(seed).session(),
    nFrom,
    nTo: nFrom + more,
    ...rest,
  }));

describe('[L1] frames', () => {
  test('are what they were after encoding and decoding', () => {
    fc.assert(
      fc.property(frame, (one) => {
        expect(decodeFrame(encodeFrame(one))).toEqual({ ok: true, value: one });
      }),
    );
  });

  test('without text cost 23 bytes and the caret', () => {
    const empty = new Uint8Array(0);
    const session = seededRandom(1).session();
    const head = 100;
    expect(encodeFrame({ session, nFrom: 0, nTo: 0, head, update: empty, caret: empty }).length).toBe(23);
  });

  test('with numbers that no row can hold are malformed', () => {
    const session = seededRandom(1).session();
    const numbered = (nFrom: number, nTo: number) =>
      decodeFrame(encodeFrame({ session, nFrom, nTo, head: 0, update: Uint8Array.of(0, 0), caret: Uint8Array.of(0) }))
        .ok;
    expect([numbered(1, MAX_N), numbered(0, 1), numbered(2, 1), numbered(1, MAX_N + 1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('never throw, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (raw) => void decodeFrame(raw)),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(frame, fc.nat(), fc.nat({ max: 255 }), (one, at, byte) => {
        const broken = encodeFrame(one);
        broken[at % broken.length] = byte;
        decodeFrame(broken);
        expect(decodeFrame(broken.slice(0, at % broken.length)).ok).toBe(false);
      }),
    );
  });

  test('that are far too long are not even read', () => {
    expect(decodeFrame(new Uint8Array(MAX_FRAME_BYTES * 2 + 1))).toMatchObject({ ok: false, error: { code: 'WF005' } });
  });
});
