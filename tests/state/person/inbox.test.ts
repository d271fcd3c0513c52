// Marking notifications as read is shown at once, and undone if the server refuses it.
import { expect, test } from 'vitest';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import type { Notification } from '../../../src/protocol/home-answers.ts';
import { personInbox } from '../../../src/state/person/inbox.ts';
import { appFixture } from '../../support/app/app-fixture.ts';
import { notificationOf } from '../../support/app/memory-inbox.ts';

const first = notificationOf(1, 'mention');
const second = notificationOf(2, 'mention');
const third = notificationOf(3, 'mention');

/** An inbox whose calls to mark notifications are answered by the test, in any order. */
async function openInbox(...notifications: Notification[]) {
  const { app } = appFixture();
  const person = app.store.get(app.personAtom);
  if (person === null) throw new Error('no one is signed in');
  const answers: ((answer: Result<number, WeftError>) => void)[] = [];
  const inbox = personInbox({
    ...person,
    inbox: {
      list: async () => {
        const { length } = notifications;
        return ok({ unread: length, notifications: notifications.toReversed(), received: length });
      },
      markRead: () => new Promise((resolve) => answers.push(resolve)),
    },
  });
  await inbox.load();
  const shown = () => {
    const list = person.store.get(inbox.atom);
    return { unread: list.unread, read: list.notifications?.map(({ readAt }) => readAt !== null) };
  };
  return { inbox, notifications, answers, shown };
}
const refused = err(weftError('WF011'));

test('a refused mark leaves what arrived meanwhile', async () => {
  const { inbox, notifications, answers, shown } = await openInbox(first, second);
  const marked = inbox.mark(null, true);
  expect(shown()).toEqual({ unread: 0, read: [true, true] });
  notifications.push(third);
  await inbox.load();
  answers[0]?.(refused);
  await marked;
  expect(shown()).toEqual({ unread: 3, read: [false, false, false] });
});

test.each(['before', 'after'])('a mark that is refused %s another succeeds undoes only itself', async (when) => {
  const { inbox, answers, shown } = await openInbox(first, second, third);
  const marked = [inbox.mark([first.id], true), inbox.mark([second.id], true)];
  expect(shown()).toEqual({ unread: 1, read: [false, true, true] });
  const steps = [() => answers[0]?.(refused), () => answers[1]?.(ok(2))];
  for (const step of when === 'before' ? steps : steps.toReversed()) {
    step();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await Promise.all(marked);
  expect(shown()).toEqual({ unread: 2, read: [false, true, false] });
});
