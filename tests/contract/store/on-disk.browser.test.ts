// Edits that are on no server yet are on the disk before they are confirmed, so a power cut does not take them.
import { afterEach, expect, test, vi } from 'vitest';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import { commentChangeQueue } from '../../../src/platform/browser/storage/comment-change-queue.ts';
import { fileCache } from '../../../src/platform/browser/storage/file-cache.ts';
import { pageChangeQueue } from '../../../src/platform/browser/storage/page-change-queue.ts';
import { pendingPageQueue } from '../../../src/platform/browser/storage/pending-page-queue.ts';
import { weftDatabase } from '../../../src/platform/browser/storage/weft-database.ts';
import type { CommentChange } from '../../../src/ports/comments.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';
import { seedRow } from '../../../src/sessions/open-sessions.ts';
import { commentId, paragraph, threadId } from '../../support/app/memory-comments.ts';
import {
  deviceDocument,
  deviceSession,
  deviceUser,
  deviceWorkspace,
  newProject,
} from '../../support/server/device-ids.ts';

afterEach(() => vi.restoreAllMocks());

const document = deviceDocument(1);
const key = { session: deviceSession(1), clientId: 5000 };
const entry = { n: 1, update: Uint8Array.of(1), at: 5, buildsOn: [] };
const meta = { seq: 0, schemaVersion: 1, title: '', role: 'editor' as const };
const page = { id: document, workspace: deviceWorkspace, parent: null, rank: 'a', title: '', madeAt: 1, refused: null };
const reply = (key: string, madeAt: number): CommentChange => ({
  key,
  page: document,
  thread: threadId(1),
  comment: commentId(1),
  madeAt,
  refused: null,
  kind: 'reply',
  body: paragraph('Words'),
});
const id = parseAttachmentId('f0000000-0000-4000-8000-000000000001');

const project = newProject();
const database = weftDatabase(project, deviceUser);
const store = idbStore(database.log);

test.each<readonly [string, () => Promise<unknown>]>([
  ['an edit', () => store.addEntry(document, key, entry)],
  ['edits that are set aside', () => store.setAside(document, { copy: undefined, seq: 0 }, meta, [], key, entry)],
  ['a new page', () => pendingPageQueue(database).add(page, meta, seedRow())],
  [
    'a change of the page tree',
    () => pageChangeQueue(database).put({ key: 'k', page: document, madeAt: 1, kind: 'trash' }, []),
  ],
  ['a change of a comment', () => commentChangeQueue(database).put(reply('k', 1), [])],
  [
    'a file',
    async () => {
      if (id === null) throw new Error('malformed id in a test');
      const file = { document, id, madeAt: 1, name: 'a', mime: 'image/png', bytes: 1, from: null, refused: null };
      await fileCache(database).queue(file, [{ version: 'original', blob: new Blob(['a']) }]);
    },
  ],
])('[SY13] %s is confirmed when it is on the disk', async (_, write) => {
  await database.database.use();
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  await write();
  expect(transaction.mock.calls.map(([, mode, options]) => [mode, options?.durability])).toEqual([
    ['readwrite', 'strict'],
  ]);
});
