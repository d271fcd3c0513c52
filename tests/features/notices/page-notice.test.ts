import { expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { pageNotice } from '../../../src/features/notices/page-notice.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import { alice, documentId, userId } from '../../support/app/app-fixture.ts';

const noProblem = {
  receipt: 'saved',
  connection: 'live',
  role: 'editor',
  error: null,
  damaged: [],
  size: 'ordinary',
  pace: 'full',
  unsent: { edits: 0, oldestAt: null },
  closure: null,
  me: alice.id,
  isExpired: false,
  queued: null,
} as const;

test('a page without problems has no banner', () => expect(pageNotice(noProblem)).toBeNull());

test('a refused comment has no banner: it says so itself', () =>
  expect(pageNotice({ ...noProblem, receipt: 'refused', refusedComments: 1 })).toBeNull());

test.each([
  ['offline', { connection: 'offline', error: weftError('WF011') }, ERROR_TEXTS.WF011],
  ['readOnly', { receipt: 'readonly', error: weftError('WF002') }, ERROR_TEXTS.WF002],
  [
    'readOnly',
    { receipt: 'readonly', role: 'commenter', error: weftError('WF002') },
    'You can comment on this page, not edit it.',
  ],
  ['oldApp', { error: weftError('WF004') }, ERROR_TEXTS.WF004],
  ['full', { error: weftError('WF007') }, ERROR_TEXTS.WF007],
  ['full', { size: 'full' }, ERROR_TEXTS.WF007],
  [
    'large',
    { size: 'large' },
    'This page is larger than 10 MB. At 20 MB it can’t grow any more: split it before then.',
  ],
  ['slowed', { pace: 'slowed' }, 'Others see your words a little later: the project’s message limit is reached.'],
  ['signedOut', { isExpired: true }, ERROR_TEXTS.WF003],
  ['refused', { receipt: 'refused', error: weftError('WF006') }, ERROR_TEXTS.WF006],
  ['refused', { receipt: 'refused', error: weftError('WF020') }, ERROR_TEXTS.WF020],
  ['files', { receipt: 'refused', refusedFiles: 2 }, '2 files couldn’t be uploaded.'],
  ['damaged', { damaged: [7] }, `${ERROR_TEXTS.WF013} No. 7.`],
] as const)('the banner for %s has the text of the error catalogue', (about, change, text) => {
  expect(pageNotice({ ...noProblem, ...change })).toMatchObject({ about, text });
});

test('the banner for what a final restore leaves out says that it is kept, and is no error', () => {
  expect(pageNotice({ ...noProblem, receipt: 'refused', error: weftError('WF016') })).toEqual({
    kind: 'info',
    about: 'refused',
    text: 'The server was restored from an earlier state for good. What this device had since then is kept as a file.',
  });
});

test.each([
  [null, /you can’t create pages in this workspace/],
  [documentId(1), /its parent page was deleted, or you can’t open it/],
])('the banner of a new page that the server refused says first where the page is (parent: %s)', (parent, text) => {
  const refused = pageNotice({ ...noProblem, receipt: 'refused', queued: { parent, refused: 'WF001' } });
  expect(refused).toMatchObject({ about: 'notCreated', kind: 'error', text: expect.stringMatching(text) });
  expect(refused?.text).toMatch(/^This page is only on this device: /);
  expect(pageNotice({ ...noProblem, queued: { parent, refused: null } })).toBeNull();
});

test('only the worst of several problems is shown', () => {
  const everything = {
    connection: 'offline',
    damaged: [3],
    isExpired: true,
    receipt: 'refused',
    error: weftError('WF005'),
  } as const;
  expect(pageNotice({ ...noProblem, ...everything })?.about).toBe('refused');
  expect(pageNotice({ ...noProblem, ...everything, receipt: 'device', error: weftError('WF011') })?.about).toBe(
    'signedOut',
  );
  expect(pageNotice({ ...noProblem, connection: 'offline', damaged: [3] })?.about).toBe('offline');
});

const closed = (kind: 'removed' | 'restricted' | 'link' | 'purged' | 'trashed', byName: string | null = 'Ada') => ({
  kind,
  by: userId(9),
  byName,
  at: 1,
});
const withEdits = { ...noProblem, unsent: { edits: 5, oldestAt: 1 } };

test.each([
  [closed('removed'), 'Ada removed your access. 5 edits weren’t saved.'],
  [closed('restricted'), 'Ada restricted this page. 5 edits weren’t saved.'],
  [closed('link'), 'Ada revoked the link you used. 5 edits weren’t saved.'],
  [closed('link', null), 'The link you used has expired. 5 edits weren’t saved.'],
  [closed('purged'), 'Ada deleted this page permanently. 5 edits weren’t saved.'],
  [closed('removed', null), 'Someone removed your access. 5 edits weren’t saved.'],
  [null, `${ERROR_TEXTS.WF001} 5 edits weren’t saved.`],
])('who loses access while typing reads who did it and what was not saved', (closure, text) => {
  const notice = pageNotice({ ...withEdits, receipt: 'refused', error: weftError('WF001'), closure });
  expect(notice).toEqual({ about: 'closed', kind: 'error', text });
});

test('a page in the trash says who put it there, and when its edits are sent', () => {
  const trashed = { ...noProblem, closure: closed('trashed') };
  expect(pageNotice(trashed)).toMatchObject({ about: 'trashed', text: 'Ada moved this page to the trash.' });
  expect(pageNotice({ ...trashed, me: userId(9) })?.text).toBe('You moved this page to the trash.');
  const refused = { ...withEdits, receipt: 'refused', error: weftError('WF002'), closure: closed('trashed') } as const;
  expect(pageNotice(refused)?.text).toBe('Ada moved this page to the trash. 5 edits are sent when it’s restored.');
});
