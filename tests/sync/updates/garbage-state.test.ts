// Snapshots as any editor can store them: bombs, halves, other formats. Nothing of a bad one is applied.
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import * as encoding from 'lib0/encoding';
import { describe, expect, test } from 'vitest';
import { Replica } from 'weft-sync/state/replica.ts';
import { decodeState } from 'weft-sync/updates/decoded-update.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { deflate, inflate } from '../../../src/lib/deflate.ts';

const bytes = (some: Uint8Array): Bytes => new Uint8Array(some);

function page(): Y.Doc {
  const doc = newDoc(5001);
  doc.getText('t').insert(0, 'hello');
  doc.getText('t').delete(1, 2);
  doc.getText('t').format(0, 2, { bold: true });
  doc.getMap('m').set('k', new Y.Text('v'));
  const block = new Y.XmlElement('block');
  block.insert(0, [new Y.XmlText('abc')]);
  doc.getXmlFragment('body').insert(0, [block]);
  return doc;
}

const STATE = bytes(Y.encodeStateAsUpdateV2(page()));

/** Whether a fresh page took it, and whether anything of it is there. */
function taken(state: Bytes) {
  const doc = newDoc();
  const wasTaken = new Replica(doc, null).applySnapshot(7, state);
  const pending = doc.store.pendingStructs !== null || doc.store.pendingDs !== null;
  return { wasTaken, isEmpty: doc.store.clients.size === 0, pending };
}
const REFUSED = { wasTaken: false, isEmpty: true, pending: false };

/** Sections of V2 that announce `count` times the same struct: run-length coding makes that a few bytes. */
function bomb(count: number, sections = 1): Bytes {
  const encoder = new Y.UpdateEncoderV2();
  encoding.writeVarUint(encoder.restEncoder, sections);
  for (let section = 0; section < sections; section++) {
    encoding.writeVarUint(encoder.restEncoder, count);
    encoder.writeClient(5000);
    encoding.writeVarUint(encoder.restEncoder, 0);
    for (let i = 0; i < Math.min(count, 2 ** 20); i++) {
      encoder.writeInfo(0);
      encoder.writeLen(1);
    }
  }
  encoding.writeVarUint(encoder.restEncoder, 0);
  return bytes(encoder.toUint8Array());
}

describe('[GB1] states', () => {
  test('that announce 2^50 structs in a few bytes are refused in bounded time', { timeout: 20_000 }, () => {
    expect(bomb(2 ** 50).length).toBeLessThan(40);
    expect(decodeState(bomb(2 ** 50))).toBeNull();
    expect(taken(bomb(2 ** 50))).toEqual(REFUSED);
    expect(decodeState(bomb(3))?.structs.length).toBe(3);
    expect(decodeState(bomb(3, 2))).toBeNull();
  });

  test('of random bytes, or damaged anywhere, are applied as a whole or not at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
        const { wasTaken, isEmpty, pending } = taken(bytes(raw));
        expect([pending, wasTaken || isEmpty]).toEqual([false, true]);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 7 }), fc.boolean(), (at, bit, isCut) => {
        const damaged = isCut ? STATE.slice(0, at % STATE.length) : STATE.slice();
        const index = at % STATE.length;
        if (!isCut) damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        const { wasTaken, isEmpty, pending } = taken(damaged);
        expect([pending, wasTaken || isEmpty]).toEqual([false, true]);
      }),
      { numRuns: 3_000 },
    );
  });

  test('in the other format, or without something they build on, are refused', () => {
    expect(taken(bytes(Y.encodeStateAsUpdate(page())))).toEqual(REFUSED);
    const before = page();
    const vector = Y.encodeStateVector(before);
    before.getText('t').insert(1, 'more');
    expect(taken(bytes(Y.encodeStateAsUpdateV2(before, vector)))).toEqual(REFUSED);
    expect(taken(STATE)).toEqual({ wasTaken: true, isEmpty: false, pending: false });
  });
});

describe('[GB1] inflate', () => {
  const limit = 1024 * 1024;
  const rejects = async (raw: Bytes) => {
    await expect(inflate(raw, limit)).rejects.toThrow();
  };

  test('stops a bomb at the limit', { timeout: 20_000 }, async () => {
    const bombs = bytes(deflateSync(new Uint8Array(256 * 1024 * 1024)));
    expect(bombs.length).toBeLessThan(300_000);
    const before = process.memoryUsage().rss;
    await expect(inflate(bombs, limit)).rejects.toThrow(RangeError);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect((await inflate(await deflate(new Uint8Array(limit)), limit)).length).toBe(limit);
    await rejects(await deflate(new Uint8Array(limit + 1)));
  });

  test('accepts nothing that is cut off, has a tail, a flipped bit, or is not zlib', async () => {
    const good = await deflate(STATE);
    expect(await inflate(good, limit)).toEqual(STATE);
    for (let at = 0; at < good.length; at++) await rejects(good.slice(0, at));
    await rejects(Uint8Array.of(...good, 0));
    await rejects(STATE);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), (raw) =>
        inflate(bytes(raw), limit).then(
          (out) => out.length <= limit,
          () => true,
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat({ max: 7 }), async (at, bit) => {
        const damaged = good.slice();
        damaged[at % good.length] = (damaged[at % good.length] ?? 0) ^ (1 << bit);
        // A flag that nothing depends on may be flipped; the output is right all the same.
        const out = await inflate(damaged, limit).catch(() => STATE);
        expect(out).toEqual(STATE);
      }),
    );
  });
});
