// Frames that other people made: the guard decides before anything is parsed.
import { expect, test, onTestFinished, vi } from 'vitest';
import { guardedDecode, isPresenceTooLarge } from 'weft-sync/supabase/realtime/frame-guard.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const TOPIC = 'realtime:d:page:1.1';
const frame = (event: string, payload: object, topic = TOPIC) => JSON.stringify(['1', null, topic, event, payload]);
const small = { k: { metas: [{ phx_ref: 'r' }] } };
const large = { k: { metas: [{ phx_ref: 'r', text: 'x'.repeat(600_000) }] } };

/** Returns the length of a frame that the guard passes on to be parsed, or the message that it puts in its place. */
function guarded() {
  const decode = guardedDecode((raw, pass) => {
    const length = typeof raw === 'string' ? raw.length : raw.byteLength;
    if (length === 13) throw new SyntaxError('not JSON');
    pass({ join_ref: null, ref: null, topic: TOPIC, event: 'parsed', payload: length });
  });
  return (raw: string | ArrayBuffer): unknown => {
    let result: unknown = 'dropped';
    decode(raw, ({ topic, event, payload }) => {
      result = event === 'parsed' ? payload : { topic, event, payload };
    });
    return result;
  };
}
const notice = {
  topic: TOPIC,
  event: 'system',
  payload: expect.toSatisfy(isPresenceTooLarge),
};

test('passes everything while presence is small, and whatever else is large', () => {
  const decide = guarded();
  for (const raw of [
    frame('presence_state', small),
    frame('presence_diff', { joins: small, leaves: {} }),
    frame('broadcast', { text: 'x'.repeat(600_000) }),
    frame('phx_reply', { text: '"presence_state"'.repeat(60_000) }),
    'x'.repeat(600_000),
    `["${'['.repeat(600_000)}`,
  ]) {
    expect(decide(raw)).toBe(raw.length);
  }
  const bytes = new Uint8Array(600_000);
  bytes[0] = 4;
  expect(decide(bytes.buffer)).toBe(600_000);
});

test('puts a notice in the place of a large state, and drops the changes of that topic until its next small state', () => {
  const decide = guarded();
  const diff = (joins: object, topic = TOPIC) => frame('presence_diff', { joins, leaves: {} }, topic);
  expect(decide(frame('presence_state', large))).toEqual(notice);
  expect(decide(diff(small))).toBe('dropped');
  expect(decide(diff(large))).toBe('dropped');
  expect(decide(diff(small, 'realtime:other'))).toEqual(expect.any(Number));
  expect(decide(frame('broadcast', {}))).toEqual(expect.any(Number));
  // A later join learns of it too.
  expect(decide(frame('presence_state', large))).toEqual(notice);
  expect(decide(frame('presence_state', small))).toEqual(expect.any(Number));
  expect(decide(diff(small))).toEqual(expect.any(Number));
  // A large change may hold the arrival of someone else, so the list is unknown from then on.
  expect(decide(diff(large))).toEqual(notice);
  expect(decide(diff(small))).toBe('dropped');
});

test('drops frames that realtime-js would throw at', () => {
  const decide = guarded();
  expect(decide('thirteen char')).toBe('dropped');
  for (const kind of [0, 1, 2, 3, 5, 255]) expect(decide(Uint8Array.of(kind, 1, 2, 3).buffer)).toBe('dropped');
  expect(decide(new ArrayBuffer(0))).toBe('dropped');
});

test('an error of the receiver of a message is not hidden', () => {
  const decode = guardedDecode((_, pass) => pass({ join_ref: null, ref: null, topic: TOPIC, event: 'e', payload: {} }));
  const fail = () => {
    throw new Error('in the app');
  };
  expect(() => decode('[]', fail)).toThrow('in the app');
});

test('does not read a message of 30 MB', async () => {
  const decide = guarded();
  const state = (length: number) => frame('presence_state', { k: { metas: [{ text: 'x'.repeat(length) }] } });
  const [raw, tenth] = [state(30_000_000), state(3_000_000)];
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const times = await timesAsLong(
    repeatedly(100, () => decide(raw)),
    repeatedly(100, () => decide(tenth)),
  );
  expect(times).toBeLessThan(5);
  expect(parse.mock.calls.filter(([text]) => text.length > 1_000)).toEqual([]);
});
