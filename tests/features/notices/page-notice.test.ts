import { expect, test } from 'vitest';
import { pageNotice } from '../../../src/features/notices/page-notice.ts';
import { ERROR_TEXTS, weftError } from '../../../src/protocol/errors.ts';
import { documentId } from '../../support/app/app-fixture.ts';

const well = {
  receipt: 'saved',
  connection: 'live',
  error: null,
  damaged: [],
  size: 'ordinary',
  isExpired: false,
  queued: null,
} as const;

test('a page that is well has no banner', () => expect(pageNotice(well)).toBeNull());

test.each([
  ['offline', { connection: 'offline', error: weftError('WF011') }, ERROR_TEXTS.WF011],
  ['readOnly', { receipt: 'readonly', error: weftError('WF002') }, ERROR_TEXTS.WF002],
  ['oldApp', { error: weftError('WF004') }, ERROR_TEXTS.WF004],
  ['full', { error: weftError('WF007') }, ERROR_TEXTS.WF007],
  ['full', { size: 'full' }, ERROR_TEXTS.WF007],
  ['large', { size: 'large' }, 'This page holds more than 10 MB. At 20 MB it takes no more: split it before.'],
  ['signedOut', { isExpired: true }, ERROR_TEXTS.WF003],
  ['refused', { receipt: 'refused', error: weftError('WF006') }, ERROR_TEXTS.WF006],
  ['files', { receipt: 'refused', refusedFiles: 2 }, '2 files could not be uploaded.'],
  ['damaged', { damaged: [7] }, `${ERROR_TEXTS.WF013} No. 7.`],
] as const)('%s is said in the catalogue’s words', (about, change, text) => {
  expect(pageNotice({ ...well, ...change })).toMatchObject({ about, text });
});

test.each([
  [null, /you may make no pages in this workspace/],
  [documentId(1), /the page it belongs below is gone, or closed to you/],
])('a new page that the server refused says first where it is (below %s)', (parent, text) => {
  const refused = pageNotice({ ...well, receipt: 'refused', queued: { parent, refused: 'WF001' } });
  expect(refused).toMatchObject({ about: 'notMade', kind: 'error', text: expect.stringMatching(text) });
  expect(refused?.text).toMatch(/^This page is only on this device: /);
  expect(pageNotice({ ...well, queued: { parent, refused: null } })).toBeNull();
});

test('the worst is said alone', () => {
  const everything = {
    connection: 'offline',
    damaged: [3],
    isExpired: true,
    receipt: 'refused',
    error: weftError('WF005'),
  } as const;
  expect(pageNotice({ ...well, ...everything })?.about).toBe('refused');
  expect(pageNotice({ ...well, ...everything, receipt: 'device', error: weftError('WF011') })?.about).toBe('signedOut');
  expect(pageNotice({ ...well, connection: 'offline', damaged: [3] })?.about).toBe('offline');
});
