// Files are told before the text, so that a text as new as the log says that they were told.
import { expect, test } from 'vitest';
import * as Y from 'yjs';
import { type ReportAttachments, withAttachmentReports } from '../../../src/app/sessions/report-attachments.ts';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { MemoryServer } from '../../memory/memory-server.ts';
import { SimClock } from '../../memory/sim-clock.ts';
import { type WeftError, weftError } from '../../../src/protocol/errors.ts';
import type { Log } from '../../../src/sync/ports.ts';
import { DOCUMENT, userId } from '../../sync/sync-harness.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';

const SWAN = '00000009-0000-4000-8000-000000000001';
const OWL = '00000009-0000-4000-8000-000000000002';
const pageOf = (...files: readonly string[]) => pageSeed('words', ...files.map((file) => ({ node: 'image', file })));
const LOST = err(weftError('WF011'));

function stage(seed: Uint8Array) {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, seed);
  const told: string[] = [];
  const answers: { files: Result<void, WeftError>; held: Promise<void> | null } = { files: ok(undefined), held: null };
  const saveText: Log['saveText'] = async (_document, seq, title, _text, options) => {
    told.push(`text ${seq} ${title}${options?.keepalive === true ? ' leaving' : ''}`);
    return ok(undefined);
  };
  const note: ReportAttachments = async (_document, seq, ids, options) => {
    told.push(`files ${seq} ${ids.length}${options?.keepalive === true ? ' leaving' : ''}`);
    await answers.held;
    return answers.files;
  };
  const log = new MemoryServer(new SimClock()).log(userId(1));
  const noting = withAttachmentReports({ ...log, saveText }, () => doc, note);
  const save = (seq: number, options?: { readonly keepalive?: boolean }) =>
    noting.log.saveText(DOCUMENT, seq, 'Title', 'words', options);
  return { doc, told, answers, noting, save };
}

test('files are told before the text, and again only when they changed', async () => {
  const { doc, told, save } = stage(pageOf(SWAN));
  expect(await save(1)).toEqual(ok(undefined));
  await save(2);
  Y.applyUpdate(doc, pageOf(SWAN, OWL));
  await save(3);
  expect(told).toEqual(['files 1 1', 'text 1 Title', 'text 2 Title', 'files 3 2', 'text 3 Title']);
});

test('a page that names none, and named none when it was opened, tells none', async () => {
  const { told, noting, save } = stage(pageOf());
  noting.opened();
  await save(1);
  expect(told).toEqual(['text 1 Title']);
});

test('while files cannot be told, the text is not either, and the caller hears of it', async () => {
  const { told, answers, save } = stage(pageOf(SWAN));
  answers.files = LOST;
  expect(await save(1)).toEqual(LOST);
  expect(told).toEqual(['files 1 1']);
  answers.files = ok(undefined);
  expect(await save(1)).toEqual(ok(undefined));
  expect(told.slice(1)).toEqual(['files 1 1', 'text 1 Title']);
});

test('a page that may be gone in a moment tells both at once', async () => {
  const { told, answers, save } = stage(pageOf(SWAN));
  answers.held = new Promise(() => undefined);
  void save(4, { keepalive: true });
  expect(told).toEqual(['text 4 Title leaving', 'files 4 1 leaving']);
});
