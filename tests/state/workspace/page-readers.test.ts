// Who can open a page and read its comments, as mentions need it.
import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { err, ok } from '../../../src/lib/result.ts';
import type { CommentReaders, PagePeople } from '../../../src/protocol/people-answers.ts';
import { pageReaders } from '../../../src/state/workspace/access/page-readers.ts';
import { alice, bob, documentId, userId, workspaceId } from '../../support/app/app-fixture.ts';
import { memberOf } from '../../support/app/memory-membership.ts';

const [carol, stranger] = [userId(3), userId(9)];
type Reader = PagePeople['people'][number];
const reader = (user: Reader['user'], role: DocumentRole, kind: 'page' | 'link' = 'page'): Reader => ({
  user,
  role,
  sources: [{ kind, role, document: null, link: null, addedBy: null }],
});

function readersOf(start: readonly Reader[]) {
  const server = { people: start, commentReaders: 'viewers' as CommentReaders, isDown: false, refuses: false };
  const given: (readonly unknown[])[] = [];
  const readers = pageReaders({
    document: documentId(1),
    workspace: workspaceId(1),
    me: alice.id,
    access: {
      people: async () =>
        server.isDown
          ? err(weftError('WF011'))
          : ok({
              access: 'restricted',
              resolvedAccess: 'restricted',
              resolvedFrom: null,
              commentReaders: server.commentReaders,
              people: [...server.people],
            }),
      async setRole(_document, person, role) {
        if (server.refuses || role === null) return err(weftError('WF002'));
        given.push([person, role]);
        server.people = [...server.people.filter(({ user }) => user !== person), reader(person, role)];
        return ok(undefined);
      },
    },
    membership: {
      members: async () => ok([memberOf(alice.id, 'owner'), memberOf(bob.id, 'member'), memberOf(carol, 'member')]),
    },
  });
  return { readers, server, given };
}

test('no one counts as shut out before the server has answered, nor offline', async () => {
  const { readers, server } = readersOf([reader(alice.id, 'manager')]);
  expect(readers.isShutOut(bob.id)).toBe(false);
  server.isDown = true;
  await readers.load();
  expect(readers.isShutOut(bob.id)).toBe(false);
  server.isDown = false;
  await readers.load();
  expect(readers.isShutOut(bob.id)).toBe(true);
  server.isDown = true;
  await readers.load();
  expect(readers.isShutOut(bob.id)).toBe(true);
});

test('a manager may add who is in the workspace; others only see who is shut out', async () => {
  const { readers } = readersOf([reader(alice.id, 'manager'), reader(bob.id, 'viewer')]);
  await readers.load();
  expect([alice.id, bob.id, carol, stranger].map(readers.isShutOut)).toEqual([false, false, true, true]);
  expect([alice.id, bob.id, carol, stranger].map(readers.mayAdd)).toEqual([false, false, true, false]);
  const editor = readersOf([reader(alice.id, 'editor')]).readers;
  await editor.load();
  expect([editor.isShutOut(carol), editor.mayAdd(carol)]).toEqual([true, false]);
});

test('a person with a link only is told of no one else, and so shuts out no one', async () => {
  const { readers } = readersOf([reader(alice.id, 'commenter', 'link')]);
  await readers.load();
  expect(readers.isShutOut(bob.id)).toBe(false);
});

test('a role that someone has got meanwhile stays; who was added is shut out no longer', async () => {
  const { readers, server, given } = readersOf([reader(alice.id, 'manager')]);
  await readers.load();
  server.people = [...server.people, reader(bob.id, 'editor')];
  expect(await readers.add([bob.id, carol], 'commenter')).toEqual(ok(undefined));
  expect(given).toEqual([[carol, 'commenter']]);
  expect([bob.id, carol].map(readers.isShutOut)).toEqual([false, false]);
});

test('where only commenters read the comments, a viewer is a person to add, with more than a view', async () => {
  const { readers, server, given } = readersOf([reader(alice.id, 'manager'), reader(bob.id, 'viewer')]);
  await readers.load();
  expect([readers.mayViewersRead(), readers.readsNoComments(bob.id), readers.mayAdd(bob.id)]).toEqual([
    true,
    false,
    false,
  ]);
  server.commentReaders = 'commenters';
  await readers.load();
  expect(readers.mayViewersRead()).toBe(false);
  expect([alice.id, bob.id, carol].map(readers.readsNoComments)).toEqual([false, true, true]);
  expect([alice.id, bob.id, carol].map(readers.isShutOut)).toEqual([false, false, true]);
  expect([alice.id, bob.id, carol].map(readers.mayAdd)).toEqual([false, true, true]);
  expect(await readers.add([bob.id], 'commenter')).toEqual(ok(undefined));
  expect(given).toEqual([[bob.id, 'commenter']]);
  expect(readers.readsNoComments(bob.id)).toBe(false);
});

test('says what went wrong', async () => {
  const { readers, server } = readersOf([reader(alice.id, 'manager')]);
  await readers.load();
  server.refuses = true;
  expect(await readers.add([bob.id], 'commenter')).toEqual(err(weftError('WF002')));
  expect(readers.isShutOut(bob.id)).toBe(true);
});
