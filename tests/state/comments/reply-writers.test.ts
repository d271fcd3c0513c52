// Who is writing a reply, as the carets of a session say it.
import { expect, test } from 'vitest';
import { setRemoteState, timerlessAwareness } from 'weft-sync/live/timerless-awareness.ts';
import * as Y from 'yjs';
import { ANNOUNCED_FOR_MS, STOPPED_AFTER_MS, replyWriters } from '../../../src/state/comments/reply-writers.ts';
import { alice, bob, userId } from '../../support/app/app-fixture.ts';
import { threadId } from '../../support/app/shown-comments.ts';

const [one, two] = [threadId(1), threadId(2)];
const KEY = 2 ** 32;

function writersOf(start: { readonly mayEdit?: boolean } = {}) {
  const rights = { mayEdit: start.mayEdit ?? true };
  const announced: string[] = [];
  const awareness = timerlessAwareness(new Y.Doc());
  const timers = new Map<() => void, number>();
  const writers = replyWriters({
    awareness,
    me: alice.id,
    mayEdit: () => rights.mayEdit,
    announce: (thread, isWriting) => void announced.push(`${thread === one ? 'one' : 'two'} ${isWriting}`),
    timing: {
      after(ms, run) {
        timers.set(run, ms);
        return () => void timers.delete(run);
      },
    },
  });
  let sent = 0;
  awareness.on('update', (_change: unknown, origin: unknown) => void (sent += origin === 'local' ? 1 : 0));
  return {
    writers,
    rights,
    announced,
    awareness,
    own: () => awareness.getLocalState()?.['cursor'],
    sent: () => sent,
    timers: () => Array.from(timers.values()),
    pass(upTo = Number.POSITIVE_INFINITY) {
      for (const [run, ms] of [...timers]) if (ms <= upTo && timers.delete(run)) run();
    },
    /** Only this timer. */
    passOnly(ms: number) {
      for (const [run, its] of [...timers]) if (its === ms && timers.delete(run)) run();
    },
    hear: (session: number, cursor: unknown, user: unknown = bob.id) =>
      setRemoteState(awareness, KEY + session, { cursor, session: `s${session}`, user }),
  };
}

test('says so with the first key, not with each, and takes it back when the writer has stopped', () => {
  const { writers, own, sent, timers, pass } = writersOf();
  for (let key = 0; key < 50; key++) writers.typed(one);
  expect([own(), sent(), timers()]).toEqual([{ beside: one }, 1, [STOPPED_AFTER_MS]]);
  pass();
  expect([own(), sent()]).toEqual([null, 2]);
  writers.typed(one);
  writers.typed(two);
  expect([own(), sent()]).toEqual([{ beside: two }, 4]);
});

test('takes it back when the reply is sent or left, and leaves a caret in the page alone', () => {
  const { writers, own, sent, timers, awareness } = writersOf();
  writers.typed(one);
  writers.ended();
  expect([own(), sent(), timers()]).toEqual([null, 2, []]);
  writers.ended();
  expect(sent()).toBe(2);
  writers.typed(one);
  const inPage = { anchor: { tname: 'body' }, head: { tname: 'body' } };
  awareness.setLocalStateField('cursor', inPage);
  writers.ended();
  expect(own()).toEqual(inPage);
});

test('[CA6] people who may not edit announce a reply instead: with the first key, again while they write, and its end', () => {
  const { writers, own, sent, announced, timers, pass, passOnly } = writersOf({ mayEdit: false });
  for (let key = 0; key < 50; key++) writers.typed(one);
  expect([own(), sent(), announced]).toEqual([undefined, 0, ['one true']]);
  passOnly(ANNOUNCED_FOR_MS);
  writers.typed(one);
  writers.typed(one);
  expect(announced.splice(0)).toEqual(['one true', 'one true']);
  writers.typed(two);
  expect(announced.splice(0)).toEqual(['two true']);
  pass(STOPPED_AFTER_MS);
  expect([announced.splice(0), timers()]).toEqual([['two false'], []]);
  writers.ended();
  expect([announced, sent()]).toEqual([[], 0]);
});

test('who gets or loses the right to edit in the middle of a reply takes back what they said, and says it the other way', () => {
  const { writers, rights, own, announced } = writersOf();
  writers.typed(one);
  rights.mayEdit = false;
  writers.typed(one);
  expect([own(), announced.splice(0)]).toEqual([null, ['one true']]);
  rights.mayEdit = true;
  writers.typed(one);
  expect([own(), announced]).toEqual([{ beside: one }, ['one false']]);
});

test('lists the others in a thread once each, under the name of the database, until they go', () => {
  const { writers, hear, awareness } = writersOf();
  let changes = 0;
  const stop = writers.subscribe(() => void (changes += 1));
  hear(1, { beside: one });
  hear(2, { beside: one });
  hear(3, { beside: one }, alice.id);
  hear(4, { beside: two }, userId(3));
  hear(5, { beside: one }, userId(3));
  expect(changes).toBe(5);
  expect(writers.of(one)).toBe([bob.id, userId(3)].sort().join(' '));
  expect(writers.of(two)).toBe(userId(3));
  for (const session of [1, 2, 5]) setRemoteState(awareness, KEY + session, null);
  expect(writers.of(one)).toBe('');
  stop();
});

test.each([
  null,
  undefined,
  'x',
  7,
  {},
  { beside: null },
  { beside: 'x' },
  { beside: [one] },
  { beside: { toString: null } },
])('a hostile caret %j writes nowhere', (cursor) => {
  const { writers, hear } = writersOf();
  hear(1, cursor);
  hear(2, { beside: one }, 'no id');
  hear(3, { beside: one }, { name: 'Ada' });
  expect(writers.of(one)).toBe('');
});
