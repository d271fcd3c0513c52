import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { parse } from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { ShareDialog } from '../../../src/features/sharing/share-dialog.tsx';
import { type PagePeople, pagePeople } from '../../../src/protocol/people-answers.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { PictureContext } from '../../../src/ui/people/picture-source.ts';
import {
  alice,
  appFixture,
  bob,
  documentId,
  linkId,
  northquay,
  pageSummary,
  secret,
  userId,
} from '../../support/app/app-fixture.ts';
import { memberOf } from '../../support/app/memory-membership.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

type Fixture = ReturnType<typeof appFixture>;
type Source = PagePeople['people'][number]['sources'][number];

const carol = userId(3);
const source = (kind: Source['kind'], role: DocumentRole, more: Partial<Source> = {}): Source => ({
  kind,
  role,
  document: null,
  link: null,
  addedBy: null,
  ...more,
});
const person = (user: typeof carol, role: DocumentRole, ...sources: Source[]) => ({ user, role, sources });
const owner = person(alice.id, 'manager', source('owner', 'manager'));
const member = person(bob.id, 'editor', source('workspace', 'editor'));
const shown = { resolvedFrom: documentId(1), commentReaders: 'viewers' } as const;
const open = { ...shown, access: 'workspace', resolvedAccess: 'workspace' } as const;
const restricted = { ...shown, access: 'restricted', resolvedAccess: 'restricted' } as const;

/** Alice's dialog of a page which everyone in the workspace can open, unless the test prepares something else. */
async function dialog(prepare: (fixture: Fixture) => void = () => undefined, mayManage = true) {
  const fixture = appFixture();
  fixture.people.members = [memberOf(alice.id, 'owner'), memberOf(bob.id, 'member'), memberOf(carol, 'guest')];
  fixture.access.people = { ...open, people: [owner, member] };
  prepare(fixture);
  const onCopyLink = vi.fn<() => void>();
  const pictures = { watch: () => () => undefined, urlOf: (path: string) => `blob:${path}` };
  await renderInApp(
    fixture,
    <PictureContext value={pictures}>
      <>
        <ShareDialog
          page={documentId(1)}
          title="Plan"
          mayManage={mayManage}
          origin="https://weft.example"
          open
          onOpenChange={() => undefined}
          onCopyLink={onCopyLink}
        />
        <Toasts />
      </>
    </PictureContext>,
  );
  await advance(fixture, 100);
  const press = async (name: string | RegExp) => {
    fireEvent.click(screen.getByRole('button', { name }));
    await advance(fixture, 100);
  };
  const choose = async (button: RegExp, item: RegExp) => {
    fireEvent.click(screen.getByRole('button', { name: button }));
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
    await advance(fixture, 100);
  };
  const select = async (label: string, choice: string) => {
    fireEvent.click(screen.getByRole('button', { name: new RegExp(`^${label}: `) }));
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: choice }));
    expect(screen.getByRole('button', { name: `${label}: ${choice}` })).toBeDefined();
  };
  const type = (text: string) => fireEvent.change(screen.getByLabelText('Name or email'), { target: { value: text } });
  const change = async (kind: 'access' | 'link' | 'request') => {
    const id = documentId(1);
    act(() => fixture.personStream.sendChange({ kind, op: 'changed', id, workspace: northquay.id }));
    await advance(fixture, 1_000);
  };
  return { fixture, press, choose, select, type, change, onCopyLink };
}
const textsIn = (list: string) =>
  within(screen.getByRole('list', { name: list }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const roles = ({ access }: Fixture) => access.people.people.map(({ user, role }) => [user, role]);

test('shows who can open the page and why, the workspace as one line', async () => {
  await dialog(({ access }) => {
    const guest = person(
      carol,
      'commenter',
      source('ancestor', 'commenter', { document: documentId(2), addedBy: bob.id }),
    );
    access.people = { ...open, access: 'inherit', resolvedFrom: documentId(2), people: [owner, member, guest] };
  });
  expect(textsIn('People with access')).toEqual([
    'Everyone in NorthquayInherited from “Minutes”Can edit',
    'Alice Nwosu (you)Owner of NorthquayCan manage',
    'Carol NgGuest · added to “Minutes” by Bob HolmCan comment',
  ]);
  expect(screen.queryByRole('button', { name: /, Alice/ })).toBeNull();
});

test('a member is found by part of the name, chosen with the keys and added with a role', async () => {
  const { fixture, type, select, press } = await dialog(({ access }) => {
    access.people = { ...restricted, people: [owner] };
  });
  const field = screen.getByRole('combobox', { name: 'Name or email' });
  type('hol');
  const suggested = () => within(screen.getByRole('listbox', { name: 'Suggestions' })).getAllByRole('option');
  expect(suggested().map(({ textContent }) => textContent)).toEqual(['Bob Holm']);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(field).toHaveProperty('value', 'Bob Holm');
  expect(screen.queryByRole('listbox', { name: 'Suggestions' })).toBeNull();
  await select('Role', 'Can view');
  await press('Add');
  expect(roles(fixture)).toContainEqual([bob.id, 'viewer']);
  expect(field).toHaveProperty('value', '');
  expect(textsIn('People with access')).toContainEqual(expect.stringMatching(/^Bob Holm.*Can view$/));
});

test('a role below the one that someone already has is not given, and the dialog says why', async () => {
  const { fixture, type, select, press } = await dialog();
  type('Bob Holm');
  await select('Role', 'Can view');
  await press('Add');
  expect(screen.getByRole('alert').textContent).toBe('Bob Holm can already edit through Northquay.');
  expect(fixture.server.calls).not.toContain('setDocumentRole');
});

test.each([
  ['', 'Enter a name or an email address.'],
  ['Zoe', 'No one in Northquay has this name. To invite someone else, enter their email address.'],
  ['zoe@', 'This doesn’t look like an email address.'],
  ['o', 'Several people match. Choose one of them.'],
])('Add with “%s” in the field says: %s', async (text, problem) => {
  const { fixture, type, press } = await dialog((prepared) => {
    prepared.people.members.push(memberOf(userId(4), 'member'));
  });
  type(text);
  await press('Add');
  expect(screen.getByRole('alert').textContent).toBe(problem);
  expect(fixture.server.calls).not.toContain('setDocumentRole');
});

test('an email address of someone outside becomes an invitation with a link, which can be revoked', async () => {
  const { fixture, type, press } = await dialog();
  type('zoe@elsewhere.example');
  await press('Add');
  expect(fixture.people.invites).toMatchObject([
    { email: 'zoe@elsewhere.example', role: 'guest', document: documentId(1), documentRole: 'editor', maxUses: 1 },
  ]);
  expect(screen.getByLabelText('Invite link')).toHaveProperty('value', `https://weft.example/i#${'i'.repeat(22)}`);
  expect(screen.getByText(/^Email sent\. You can send the link too\. It works once/)).toBeDefined();
  expect(textsIn('Invitations to this page')).toEqual([expect.stringMatching(/^zoe@elsewhere.example.*can edit/)]);
  await press('Revoke the invitation of zoe@elsewhere.example');
  expect(fixture.people.invites).toEqual([]);
});

test('a manager changes and removes the role of a person in place', async () => {
  const { fixture, choose } = await dialog(({ access }) => {
    access.people = { ...restricted, people: [owner, person(bob.id, 'editor', source('page', 'editor'))] };
  });
  await choose(/^Can edit, Bob Holm$/, /^Can view/);
  expect(roles(fixture)).toContainEqual([bob.id, 'viewer']);
  await choose(/^Can view, Bob Holm$/, /^Remove access/);
  expect(roles(fixture)).toEqual([[alice.id, 'manager']]);
  expect(document.body.textContent).toContain('Bob Holm was removed from this page');
  await undo(fixture);
  expect(roles(fixture)).toContainEqual([bob.id, 'viewer']);
});

test('restricting a page without links says so, and Undo opens it again', async () => {
  const { fixture, press } = await dialog(({ access }) => {
    access.people = { ...open, people: [owner, member] };
  });
  await press('Restrict this page…');
  fireEvent.click(
    within(screen.getByRole('dialog', { name: /^Restrict/ })).getByRole('button', { name: 'Restrict page' }),
  );
  await advance(fixture, 100);
  expect(fixture.access.people.access).toBe('restricted');
  expect(document.body.textContent).toContain('“Plan” is restricted');
  await undo(fixture);
  expect(fixture.access.people.access).toBe('workspace');
});

/** Presses Undo in the newest message. An older one stays in the document, inert, until it expires. */
async function undo(fixture: Fixture): Promise<void> {
  const [newest] = await screen.findAllByRole('button', { name: 'Undo', hidden: true });
  if (newest === undefined) throw new Error('no message with Undo');
  fireEvent.click(newest);
  await advance(fixture, 100);
}

test('the menu of a role says what each role may do', async () => {
  await dialog(({ access }) => {
    access.people = { ...open, people: [owner, person(bob.id, 'viewer', source('page', 'viewer'))] };
  });
  fireEvent.click(screen.getByRole('button', { name: 'Can view, Bob Holm' }));
  const names = (await screen.findAllByRole('menuitem', { name: /Can / })).map(({ textContent }) => textContent);
  expect(names).toEqual([
    'Can viewReads, watches and searches',
    'Can commentReads and comments',
    'Can editEdits, moves and restores',
    'Can manageChanges access and links',
  ]);
});

test('the menu of a role disables what another source gives anyway', async () => {
  await dialog(({ access }) => {
    const both = person(bob.id, 'manager', source('page', 'manager'), source('workspace', 'editor'));
    access.people = { ...open, people: [owner, both] };
  });
  fireEvent.click(screen.getByRole('button', { name: 'Can manage, Bob Holm' }));
  const item = await screen.findByRole('menuitem', { name: /^Can view/ });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  expect(item.textContent).toContain('Bob Holm can already edit through Northquay.');
  expect(screen.getByRole('menuitem', { name: /^Remove access/ }).textContent).toContain('They can still edit it.');
});

const marshals = {
  id: linkId(1),
  documentId: documentId(1),
  role: 'editor',
  expiresAt: null,
  revokedAt: null,
  createdBy: alice.id,
  createdAt: 1,
  name: 'marshals',
  uses: 1,
  history: false,
} as const;

test.each([
  ['no link', [], 'Remove access'],
  ['an expired link', [{ ...marshals, expiresAt: 1 }], 'Remove access'],
  ['a link', [marshals], 'Remove accessAnyone with a link can still open it.'],
])('removing someone from a page with %s says whether they can come back by it', async (_page, links, says) => {
  await dialog(({ access, server }) => {
    access.people = { ...restricted, people: [owner, person(bob.id, 'editor', source('page', 'editor'))] };
    server.links.push(...links);
  });
  fireEvent.click(screen.getByRole('button', { name: 'Can edit, Bob Holm' }));
  expect((await screen.findByRole('menuitem', { name: /^Remove access/ })).textContent).toBe(says);
});

test.each([
  ['an expired link', [{ ...marshals, expiresAt: 1 }], 'Only the people below can'],
  ['a link', [marshals], 'Only the people below, and people with a link, can'],
])('a restricted page with %s says who can open it', async (_page, links, says) => {
  await dialog(({ access, server }) => {
    access.people = { ...restricted, people: [owner] };
    server.links.push(...links);
  });
  expect(screen.getByText(/^Restricted\./).textContent).toContain(says);
});

test('restricting asks first, names who loses access, and ends the links', async () => {
  const { fixture, press } = await dialog(({ access, server }) => {
    access.people = { ...open, people: [owner, member, person(carol, 'editor', source('link', 'editor'))] };
    access.losers = [bob.id];
    server.links.push(marshals);
  });
  await press('Restrict this page…');
  const question = within(screen.getByRole('dialog', { name: 'Restrict “Plan”?' }));
  expect(question.getByRole('status').textContent).toBe('Bob Holm and Carol Ng lose access at once.');
  fireEvent.click(question.getByLabelText('Revoke its link'));
  expect(question.getByRole('status').textContent).toBe('Bob Holm loses access at once.');
  fireEvent.click(question.getByLabelText('Revoke its link'));
  expect(fixture.access.people.access).toBe('workspace');
  fireEvent.click(question.getByRole('button', { name: 'Restrict page' }));
  await advance(fixture, 100);
  expect([fixture.access.people.access, fixture.server.links]).toEqual(['restricted', []]);
  // The same call revokes the links: a second one could get lost.
  expect(fixture.server.calls).not.toContain('revokeLink');
  expect(screen.queryByRole('dialog', { name: 'Restrict “Plan”?' })).toBeNull();
  expect(screen.getByText(/^Restricted\. Only the people below can open this page/)).toBeDefined();
});

test('the address of a new link goes when the link ends elsewhere: by restricting the page, or by another manager', async () => {
  const { fixture, press } = await dialog();
  const address = () => screen.queryByLabelText('New link address');
  await press('New link');
  await press('Create link');
  expect(address()).not.toBeNull();
  await press('Restrict this page…');
  fireEvent.click(
    within(screen.getByRole('dialog', { name: 'Restrict “Plan”?' })).getByRole('button', { name: 'Restrict page' }),
  );
  await advance(fixture, 100);
  expect(fixture.server.links).toEqual([]);
  expect(address()).toBeNull();
  expect(screen.getByText(/^No active links\./)).toBeDefined();
});

test('if many lose access the first are named, and the others counted', async () => {
  const { press } = await dialog(({ access }) => {
    access.losers = [bob.id, carol, ...Array.from({ length: 38 }, (_, n) => userId(100 + n))];
  });
  await press('Restrict this page…');
  const question = within(screen.getByRole('dialog', { name: 'Restrict “Plan”?' }));
  expect(question.getByRole('status').textContent).toBe('Bob Holm, Carol Ng and 38 others lose access at once.');
});

test('without an answer to who loses access nothing is restricted', async () => {
  const { fixture, press } = await dialog(({ server }) => server.refusals.set('losers', weftError('WF011')));
  await press('Restrict this page…');
  const question = within(screen.getByRole('dialog', { name: 'Restrict “Plan”?' }));
  expect(question.getByRole('alert').textContent).toBe(ERROR_TEXTS.WF011);
  expect(question.getByRole('button', { name: 'Restrict page' })).toHaveProperty('disabled', true);
  fireEvent.click(question.getByRole('button', { name: 'Cancel' }));
  expect(fixture.access.people.access).toBe('workspace');
});

test.each([
  ['at the top', 'workspace', [pageSummary(1, 'Plan', { access: 'restricted' })]],
  [
    'below an open page',
    'inherit',
    [pageSummary(1, 'Plan', { access: 'restricted', parentId: documentId(2) }), pageSummary(2, 'Minutes')],
  ],
] as const)('a restricted page %s is opened to everyone again: access %s', async (_where, expected, pages) => {
  const { fixture, press } = await dialog(({ access, server }) => {
    server.documents = [...pages];
    access.people = { ...restricted, people: [owner] };
  });
  await press('Open to everyone…');
  await press('Open to everyone');
  expect(fixture.access.people.access).toBe(expected);
});

test('a request stands on top with its note, and is answered there', async () => {
  const request = {
    id: 'r' as never,
    user: carol,
    displayName: 'Carol Ng',
    color: 'orchil',
    role: 'editor',
    note: 'I do the start list.',
    at: 1,
  } as const;
  const stranger = { ...request, id: 's' as never, user: userId(9), displayName: 'Noor', note: '' };
  const { fixture, press, change } = await dialog(({ access }) => access.requests.push(request, stranger));
  expect(textsIn('Requests for access')).toEqual([
    'Carol Ng wants to edit“I do the start list.”DenyAllow',
    'Noor wants to editDenyAllow',
  ]);
  fixture.access.requests = [request];
  await change('request');
  // The app does not ask for a stranger's profile: they would count as gone once they got access.
  expect(personOf(fixture).store.get(personOf(fixture).people.goneAtom)).toEqual(new Set());
  // With the picture of a member; a stranger's is not visible yet.
  const faces = () => document.querySelectorAll('.requests img').length;
  expect(faces()).toBe(0);
  act(() =>
    personOf(fixture).people.put({ id: carol, displayName: 'Carol Ng', color: 'orchil', avatarPath: 'carol/1' }),
  );
  expect(faces()).toBe(1);
  await press('Allow');
  expect(fixture.access.answered).toEqual([{ request: 'r', role: 'editor' }]);
  expect(screen.queryByRole('list', { name: 'Requests for access' })).toBeNull();
  // Another one arrives while the dialog is open.
  fixture.access.requests = [{ ...request, note: '' }];
  await change('request');
  await press('Deny');
  expect(fixture.access.answered.at(-1)).toEqual({ request: 'r', role: null });
});

test('what another manager changes appears while the dialog is open', async () => {
  const { fixture, change } = await dialog();
  fixture.access.people = { ...open, people: [owner, member, person(carol, 'viewer', source('page', 'viewer'))] };
  await change('access');
  expect(textsIn('People with access')).toContainEqual(expect.stringMatching(/^Carol Ng.*Can view$/));
});

test('a new link’s address is shown once, in a read-only field with the focus and selected', async () => {
  const { press, select } = await dialog();
  await press('New link');
  await press('Create link');
  const field = screen.getByLabelText<HTMLInputElement>('New link address');
  expect(field.value).toBe(`https://weft.example/s#${secret('1')}`);
  expect([field.readOnly, document.activeElement]).toEqual([true, field]);
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe(field.value);
  await press('New link');
  expect(screen.getByLabelText('New link address')).toBe(field);
  await select('Access', 'Can edit');
  await press('Create link');
  const addresses = screen.getAllByLabelText<HTMLInputElement>('New link address').map(({ value }) => value);
  expect(addresses).toEqual(['2', '1'].map((n) => `https://weft.example/s#${secret(n)}`));
});

test('a new link is copied at once where the browser lets it, and the dialog says so', async () => {
  const written: string[] = [];
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { writeText: async (text: string) => void written.push(text) },
  });
  const { press } = await dialog();
  await press('New link');
  await press('Create link');
  await vi.waitFor(() => expect(screen.getByText('Copied. It is shown only now.')).toBeDefined());
  expect(written).toEqual([`https://weft.example/s#${secret('1')}`]);
  vi.unstubAllGlobals();
});

test('watch links are listed before edit links, each with its name, creator, expiry and uses', async () => {
  const { press, select } = await dialog();
  await press('New link');
  await select('Access', 'Can edit');
  fireEvent.change(screen.getByLabelText('Name (optional)'), { target: { value: ' marshals ' } });
  await press('Create link');
  await press('New link');
  await select('Expires', 'In a week');
  await press('Create link');
  expect(textsIn('Links to this page')).toEqual([
    expect.stringMatching(/^Anyone with the link can watchBy you, .* · expires \d+ [A-Z][a-z]+( \d+)?Revoke$/),
    expect.stringMatching(/^Anyone with “marshals” can editBy you, .* · never expires · no one joined yetRevoke$/),
  ]);
});

test('a link shows the history only if it was ticked, and says so', async () => {
  const { fixture, press, select } = await dialog();
  await press('New link');
  const tick = () => screen.queryByRole<HTMLInputElement>('checkbox', { name: 'Can see history' });
  expect(tick()?.checked).toBe(false);
  await press('Create link');
  await press('New link');
  fireEvent.click(tick() ?? document.body);
  expect(screen.getByText(/Its history has everything that was ever written here, without names/)).toBeDefined();
  await select('Access', 'Can edit');
  expect(screen.getByText(/Its history has everything that was ever written here, and who wrote it/)).toBeDefined();
  await press('Create link');
  expect(fixture.server.links.map(({ history }) => history)).toEqual([false, true]);
  expect(textsIn('Links to this page')).toEqual([
    expect.stringMatching(/can watch.* never expiresRevoke$/),
    expect.stringMatching(/can edit.* never expires · with history · no one joined yetRevoke$/),
  ]);
});

test('a link to comment says what it gives; a name that is too long is not sent', async () => {
  const { fixture, press, select } = await dialog();
  await press('New link');
  await select('Access', 'Can comment');
  expect(screen.getByText(/can comment on the page, after giving a name/)).toBeDefined();
  fireEvent.change(screen.getByLabelText('Name (optional)'), { target: { value: 'x'.repeat(81) } });
  expect(screen.getByRole('alert').textContent).toBe('At most 80 characters.');
  await press('Create link');
  expect(fixture.server.links).toEqual([]);
});

test('a revoked link leaves the list, and a toast says that its watchers were disconnected', async () => {
  const { press, fixture } = await dialog();
  await press('New link');
  await press('Create link');
  expect(textsIn('Links to this page')).toHaveLength(1);
  await press('Revoke the link to watch');
  expect(textsIn('Links to this page')).toEqual([]);
  expect(screen.queryByLabelText('New link address')).toBeNull();
  expect(fixture.server.links).toEqual([]);
  await vi.waitFor(() => expect(document.body.textContent).toContain('Link revoked. Watchers were disconnected.'));
});

test('without the right to manage the dialog says so and has nothing that changes anything', async () => {
  await dialog(({ access }) => {
    access.people = { ...open, people: [person(alice.id, 'editor', source('workspace', 'editor'))] };
  }, false);
  expect(screen.getByText('Only managers can change this.')).toBeDefined();
  expect(screen.getAllByRole('button').map(({ textContent, title }) => textContent || title)).toEqual([
    'Copy page link',
    'Close',
  ]);
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.getByRole('group', { name: 'Who can read comments' }).textContent).toContain(
    'People with a role on this page',
  );
});

test('a database of an earlier release does not say who reads the comments, so that there is nothing to choose', async () => {
  await dialog(({ access }) => {
    const { commentReaders: _, ...answer } = access.people;
    access.people = parse(pagePeople, answer);
  });
  expect(screen.getByRole('button', { name: 'Copy page link' })).toBeDefined();
  expect(screen.queryByRole('group', { name: 'Who can read comments' })).toBeNull();
});

test('who reads the comments is chosen from three, follows what others choose, and Undo brings back what was', async () => {
  const { fixture, choose, press, change } = await dialog();
  const shown = () => screen.getByRole('button', { name: /^Who can read comments: / }).textContent;
  expect(shown()).toBe('People with a role on this page');
  await choose(/^Who can read comments/, /^People who can comment/);
  expect([shown(), fixture.access.people.commentReaders]).toEqual(['People who can comment', 'commenters']);
  await press('Undo');
  expect([shown(), fixture.access.people.commentReaders]).toEqual(['People with a role on this page', 'viewers']);
  fixture.access.people = { ...fixture.access.people, commentReaders: 'everyone' };
  await change('access');
  expect(shown()).toBe('Anyone with a link');
  fixture.server.refusals.set('setCommentReaders', weftError('WF002'));
  await choose(/^Who can read comments/, /^People who can comment/);
  expect(shown()).toBe('Anyone with a link');
  await vi.waitFor(() => expect(document.body.textContent).toContain(ERROR_TEXTS.WF002));
});

test('offline the dialog says so and tries again; creating a link shows the error and no address', async () => {
  const { fixture, press } = await dialog((prepared) =>
    prepared.server.refusals.set('documentPeople', weftError('WF011')),
  );
  expect(screen.getByRole('alert').textContent).toContain(ERROR_TEXTS.WF011);
  fixture.server.refusals.clear();
  await press('Try now');
  expect(textsIn('People with access')).toHaveLength(2);
  fixture.goOffline();
  await press('New link');
  await press('Create link');
  expect(screen.queryByLabelText('New link address')).toBeNull();
  expect(screen.getByRole('alert').textContent).toContain(ERROR_TEXTS.WF011);
});

test('Copy puts the address on the clipboard, or selects it when the browser refuses', async () => {
  // So it is not copied at once.
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  document.execCommand = () => false;
  const { press } = await dialog();
  await press('New link');
  await press('Create link');
  expect(screen.getByText('Copy it now; it is shown once.')).toBeDefined();
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  await press('Copy');
  expect(copied).toEqual([`https://weft.example/s#${secret('1')}`]);

  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  await press('Copied');
  expect(document.activeElement).toBe(screen.getByLabelText('New link address'));
  expect(document.body.textContent).toContain('Couldn’t copy. Select the address and press Ctrl C.');
});
