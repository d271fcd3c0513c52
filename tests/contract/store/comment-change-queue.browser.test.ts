// Changes of comments that wait on this device, as IndexedDB stores them.
import { expect, test } from 'vitest';
import { commentChangeQueue } from '../../../src/platform/browser/storage/comment-change-queue.ts';
import { weftDatabase } from '../../../src/platform/browser/storage/weft-database.ts';
import type { CommentChange } from '../../../src/ports/comments.ts';
import { PAGE_ANCHOR, commentId, paragraph, threadId } from '../../support/app/memory-comments.ts';
import { deviceDocument, deviceUser, newProject } from '../../support/server/device-ids.ts';

const about = (n: number) => ({
  key: `key ${n}`,
  page: deviceDocument(1),
  thread: threadId(1),
  madeAt: n,
  refused: null,
  comment: commentId(n),
});
const mention = { text: 'Bob', mention: deviceUser, bold: true } as const;
const start: CommentChange = {
  ...about(1),
  kind: 'start',
  anchor: { kind: 'text', from: 'AQ==', to: 'Ag==', block: null, quote: 'tide', before: 'the ', after: ' turns' },
  body: [{ kind: 'bullet', runs: [mention, { text: 'this', link: 'https://weft.example' }] }],
};

test('every kind of change comes back as it was stored, oldest first, after a reload', async () => {
  const project = newProject();
  const changes: readonly CommentChange[] = [
    start,
    { ...about(2), kind: 'reply', body: paragraph('b'), refused: 'WF021' },
    { ...about(3), kind: 'edit', body: paragraph('c') },
    { ...about(4), kind: 'remove' },
    { ...about(5), kind: 'react', emoji: '👍', isSet: true },
  ];
  const { comment: _, ...ofThread } = about(6);
  const all = [...changes, { ...ofThread, kind: 'resolve', isResolved: true } as const];
  const queue = commentChangeQueue(weftDatabase(project, deviceUser));
  for (const change of all.toReversed()) await queue.put(change, []);
  expect(await commentChangeQueue(weftDatabase(project, deviceUser)).list()).toEqual(all);
});

test('a change takes the place of those that it replaces, and of an earlier one with its key', async () => {
  const queue = commentChangeQueue(weftDatabase(newProject(), deviceUser));
  const [first, second]: readonly CommentChange[] = [start, { ...about(2), kind: 'edit', body: paragraph('b') }];
  if (first === undefined || second === undefined) throw new Error('two changes');
  await queue.put(first, []);
  await queue.put(second, [first.key]);
  await queue.put({ ...second, refused: 'WF002' }, []);
  expect(await queue.list()).toEqual([{ ...second, refused: 'WF002' }]);
  await queue.remove(second.key);
  expect(await queue.list()).toEqual([]);
});

test('what this version can’t read is left out, and is known to be there', async () => {
  const database = weftDatabase(newProject(), deviceUser);
  const db = await database.database.use();
  await db.put('commentChanges', { key: 'x', page: deviceDocument(1), madeAt: 1, kind: 'of a newer app' });
  const queue = commentChangeQueue(database);
  await queue.put({ ...start, anchor: PAGE_ANCHOR }, []);
  expect(await queue.list()).toEqual([{ ...start, anchor: PAGE_ANCHOR }]);
  expect(await queue.keys()).toEqual(new Set(['x', start.key]));
});
