import { expect, test } from 'vitest';
import { pageNotice } from '../../../src/features/notices/page-notice.ts';
import { ERROR_TEXTS, weftError } from '../../../src/protocol/errors.ts';
import { documentId } from '../../support/app/app-fixture.ts';

const noProblem = {
  receipt: 'saved',
  connection: 'live',
  error: null,
  damaged: [],
  size: 'ordinary',
  isExpired: false,
  queued: null,
} as const;

test('a page without problems has no banner', () => expect(pageNotice(noProblem)).toBeNull());

test.each([
  ['offline', { connection: 'offline', error: weftError('WF011') }, ERROR_TEXTS.WF011],
  ['readOnly', { receipt: 'readonly', error: weftError('WF002') }, ERROR_TEXTS.WF002],
  ['oldApp', { error: weftError('WF004') }, ERROR_TEXTS.WF004],
  ['full', { error: weftError('WF007') }, ERROR_TEXTS.WF007],
  ['full', { size: 'full' }, ERROR_TEXTS.WF007],
  [
    'large',
    { size: 'large' },
    'This page is larger than 10 MB. At 20 MB it can’t grow any more: split it before then.',
  ],
  ['signedOut', { isExpired: true }, ERROR_TEXTS.WF003],
  ['refused', { receipt: 'refused', error: weftError('WF006') }, ERROR_TEXTS.WF006],
  ['files', { receipt: 'refused', refusedFiles: 2 }, '2 files couldn’t be uploaded.'],
  ['damaged', { damaged: [7] }, `${ERROR_TEXTS.WF013} No. 7.`],
] as const)('the banner for %s has the text of the error catalogue', (about, change, text) => {
  expect(pageNotice({ ...noProblem, ...change })).toMatchObject({ about, text });
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

test('of several problems only the worst is shown', () => {
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
