import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_LIVE_UPDATE_BYTES, MAX_N } from 'weft-sync/protocol/limits.ts';
import { type LiveUpdate, decodeLiveUpdate, encodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';

const bytes = fc.uint8Array({ maxLength: 60 }).map((one) => new Uint8Array(one));
const liveUpdates: fc.Arbitrary<LiveUpdate> = fc
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

describe('[L1] live updates', () => {
  test('survive encoding and decoding', () => {
    fc.assert(
      fc.property(liveUpdates, (liveUpdate) => {
        expect(decodeLiveUpdate(encodeLiveUpdate(liveUpdate))).toEqual({ ok: true, value: liveUpdate });
      }),
    );
  });

  test('take 23 bytes plus the caret if they hold no edits', () => {
    const empty = new Uint8Array(0);
    const session = seededRandom(1).session();
    const head = 100;
    expect(encodeLiveUpdate({ session, nFrom: 0, nTo: 0, head, update: empty, caret: empty }).length).toBe(23);
  });

  test('are malformed if a row could not hold their numbers', () => {
    const session = seededRandom(1).session();
    const isAccepted = (nFrom: number, nTo: number) =>
      decodeLiveUpdate(
        encodeLiveUpdate({ session, nFrom, nTo, head: 0, update: Uint8Array.of(0, 0), caret: Uint8Array.of(0) }),
      ).ok;
    expect([isAccepted(1, MAX_N), isAccepted(0, 1), isAccepted(2, 1), isAccepted(1, MAX_N + 1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('never throw when decoded, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (raw) => void decodeLiveUpdate(raw)),
      { numRuns: 10_000 },
    );
    fc.assert(
      fc.property(liveUpdates, fc.nat(), fc.nat({ max: 255 }), (liveUpdate, at, byte) => {
        const broken = encodeLiveUpdate(liveUpdate);
        broken[at % broken.length] = byte;
        decodeLiveUpdate(broken);
        expect(decodeLiveUpdate(broken.slice(0, at % broken.length)).ok).toBe(false);
      }),
    );
  });

  test('are not decoded at all if they are far too long', () => {
    expect(decodeLiveUpdate(new Uint8Array(MAX_LIVE_UPDATE_BYTES * 2 + 1))).toMatchObject({
      ok: false,
      error: { code: 'WF005' },
    });
  });
});
