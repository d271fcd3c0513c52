// Attachments are reported before the text is saved: a saved text implies that its attachments were reported.
import { expect, test } from 'vitest';
import type { Log } from 'weft-sync/ports.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import * as Y from 'yjs';
import { type Result, err, ok } from '../../src/lib/result.ts';
import { type ReportAttachments, withAttachmentReports } from '../../src/sessions/report-attachments.ts';
import { pageSeed } from '../support/editor/page-seed.ts';
import { DOCUMENT, userId } from '../sync/sync-harness.ts';

const SWAN = '00000009-0000-4000-8000-000000000001';
const OWL = '00000009-0000-4000-8000-000000000002';
const pageOf = (...files: readonly string[]) => pageSeed('words', ...files.map((file) => ({ node: 'image', file })));
const LOST = err(weftError('WF011'));

function reportHarness(seed: Uint8Array) {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, seed);
  const calls: string[] = [];
  const answers: { files: Result<void, WeftError>; delay: Promise<void> | null } = {
    files: ok(undefined),
    delay: null,
  };
  const saveText: Log['saveText'] = async (_document, seq, title, _text, options) => {
    calls.push(`text ${seq} ${title}${options?.keepalive === true ? ' leaving' : ''}`);
    return ok(undefined);
  };
  const report: ReportAttachments = async (_document, seq, ids, options) => {
    const at = typeof options?.at === 'number' ? ` of ${options.at}` : '';
    calls.push(`files ${seq} ${ids.length}${at}${options?.keepalive === true ? ' leaving' : ''}`);
    await answers.delay;
    return answers.files;
  };
  const log = new MemoryServer(new SimClock()).log(userId(1));
  const wrapped = withAttachmentReports({ ...log, saveText }, () => doc, report);
  const save = (seq: number, options?: { readonly keepalive?: boolean; readonly at?: number }) =>
    wrapped.log.saveText(DOCUMENT, seq, 'Title', 'words', options);
  return { doc, calls, answers, wrapped, save };
}

test('attachments are reported before the text, and again only when they changed', async () => {
  const { doc, calls, save } = reportHarness(pageOf(SWAN));
  expect(await save(1)).toEqual(ok(undefined));
  await save(2);
  Y.applyUpdate(doc, pageOf(SWAN, OWL));
  await save(3);
  expect(calls).toEqual(['files 1 1', 'text 1 Title', 'text 2 Title', 'files 3 2', 'text 3 Title']);
});

test('[HI1] a report names the time of its row, as the text does', async () => {
  const { calls, save } = reportHarness(pageOf(SWAN));
  await save(7, { at: 1234 });
  expect(calls).toEqual(['files 7 1 of 1234', 'text 7 Title']);
});

test('a page that never used attachments reports none', async () => {
  const { calls, wrapped, save } = reportHarness(pageOf());
  wrapped.opened();
  await save(1);
  expect(calls).toEqual(['text 1 Title']);
});

test('if the report fails, the text is not saved and the caller gets the error', async () => {
  const { calls, answers, save } = reportHarness(pageOf(SWAN));
  answers.files = LOST;
  expect(await save(1)).toEqual(LOST);
  expect(calls).toEqual(['files 1 1']);
  answers.files = ok(undefined);
  expect(await save(1)).toEqual(ok(undefined));
  expect(calls.slice(1)).toEqual(['files 1 1', 'text 1 Title']);
});

test('a page that is about to unload sends both at once', async () => {
  const { calls, answers, save } = reportHarness(pageOf(SWAN));
  answers.delay = new Promise(() => undefined);
  void save(4, { keepalive: true });
  expect(calls).toEqual(['text 4 Title leaving', 'files 4 1 leaving']);
});
