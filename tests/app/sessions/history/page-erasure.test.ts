// Erasing while others write: it succeeds only when no row says the words.
import { expect, test } from 'vitest';
import type * as Y from 'yjs';
import { newAnswerer } from '../../../../src/app/sessions/history/answer-question.ts';
import { OpenedHistory } from '../../../../src/app/sessions/history/opened-history.ts';
import { PageErasure } from '../../../../src/app/sessions/history/page-erasure.ts';
import { elementsOfBlocks, fillPage } from '../../../../src/document/body/fill-page.ts';
import { plainRun, textBlock } from '../../../../src/document/blocks/detached-block.ts';
import { bodyOf } from '../../../../src/document/names.ts';
import { type Result, err, ok } from '../../../../src/lib/result.ts';
import { sha256 } from '../../../../src/lib/sha256.ts';
import { type WeftError, weftError } from '../../../../src/protocol/errors.ts';
import type { ErasureAnswer, ErasureNote } from '../../../../src/protocol/history-answers.ts';
import { type Row, encodeRows } from '../../../../src/protocol/row.ts';
import type { ErasureView } from '../../../../src/state/ports/history.ts';
import { chosenIn, textAt } from '../../../support/editor/erased-letters.ts';
import { Writer } from '../../../support/editor/random-log.ts';

/** A log that does what erase_text does, for letters of one byte. */
class ErasableLog {
  readonly rows: Row[] = [];
  readonly writer = new Writer(0);
  readonly titles: string[] = [];
  readonly #notes = new Map<string, number>();
  /** Runs before the next erasures, one each: others write. */
  readonly before: (() => void)[] = [];
  /** The answer of the next erasure is lost. */
  isLost = false;

  constructor(...lines: readonly string[]) {
    fillPage(this.writer.doc, 'About hunter2', elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)]))));
    this.writer.send(this.rows);
  }

  edit(change: (body: Y.XmlFragment) => void): void {
    this.writer.doc.transact(() => change(bodyOf(this.writer.doc)));
    this.writer.send(this.rows);
  }

  /** Copies a block, as somebody does who pastes it. */
  paste(line: string): void {
    this.edit((body) => body.insert(body.length, [...elementsOfBlocks([textBlock({}, [plainRun(line)])])]));
  }

  get text(): string {
    return this.rows.map(({ update }) => new TextDecoder().decode(update)).join('');
  }

  open(keepsErased: boolean): OpenedHistory {
    const answerer = newAnswerer();
    return new OpenedHistory(
      {
        rows: async (after) => ok(this.#rowsAfter(after, keepsErased)),
        authors: null,
        fromServer: (at) => at,
      },
      { run: async (job) => ok(answerer(job)), close: () => undefined },
    );
  }

  erasure(words: string): PageErasure {
    return new PageErasure(chosenIn(this.writer.doc, words), {
      open: (keepsErased) => this.open(keepsErased),
      erase: async (call) => {
        this.before.shift()?.();
        const answer = await this.#erase(call);
        if (!this.isLost) return answer;
        this.isLost = false;
        return err(weftError('WF011'));
      },
    });
  }

  #rowsAfter(after: number, keepsErased: boolean) {
    const notes: ErasureNote[] = Array.from(this.#notes, ([id, seq]) => ({ id, seq, at: 0, by: null })).toReversed();
    const rows = this.rows.slice(after).map((row) => ({ ...row, update: row.update.slice() }));
    return {
      rows,
      head: this.rows.length,
      more: false,
      schemaVersion: 1,
      erasures: keepsErased ? [] : notes,
      putBack: [],
    };
  }

  async #erase({
    id,
    rows,
    title,
  }: Parameters<ConstructorParameters<typeof PageErasure>[1]['erase']>[0]): Promise<Result<ErasureAnswer, WeftError>> {
    const known = this.#notes.get(id);
    if (known !== undefined) return ok({ erased: true, head: known });
    const head = this.rows.length;
    for (const { seq, sha256: wanted } of rows) {
      const row = this.rows[seq - 1];
      if (row === undefined || (await sha256(encodeRows({ kind: 'rows', head: seq, rows: [row] }, 3))) !== wanted)
        return ok({ erased: false, head });
    }
    for (const { seq, update } of rows)
      for (const [start, , first, last] of update) this.rows[seq - 1]?.update.fill(42, start + first, start + last);
    this.#notes.set(id, head);
    this.titles.push(title);
    return ok({ erased: true, head });
  }
}

async function ready(erasure: PageErasure): Promise<ErasureView> {
  while (erasure.getView().phase === 'reading') await new Promise((done) => void setTimeout(done, 1));
  return erasure.getView();
}

test('rows that others append between reading and erasing are erased too', async () => {
  const log = new ErasableLog('It is hunter2 now', 'x');
  const erasure = log.erasure('hunter2');
  expect(await ready(erasure)).toEqual({ phase: 'ready', copies: 1 });
  const move = () =>
    log.edit((body) => {
      const copy = body.get(0).clone();
      body.delete(0, 1);
      body.insert(1, [copy]);
    });
  log.before.push(move, () => log.paste('Again: hunter2'));
  expect(await erasure.erase(true)).toEqual(ok(undefined));
  expect(log.rows).toHaveLength(3);
  expect(log.text).not.toContain('hunter2');
  expect(log.titles).toEqual(['About *******', 'About *******', 'About *******']);
  erasure.close();
});

test('what another manager erased meanwhile, or a compaction merged, is read again', async () => {
  const log = new ErasableLog('It is hunter2 now');
  log.paste('hunter2 elsewhere');
  const [one, other] = [log.erasure('hunter2'), log.erasure('It is hunter2')];
  await Promise.all([ready(one), ready(other)]);
  expect(await other.erase(true)).toEqual(ok(undefined));
  expect(log.text).toContain('hunter2 elsewhere');
  expect(await one.erase(true)).toEqual(ok(undefined));
  expect(log.text).not.toContain('hunter2');
});

test('an erasure whose answer was lost is not done twice, and what came after it is erased', async () => {
  const log = new ErasableLog('It is hunter2 now');
  const erasure = log.erasure('hunter2');
  await ready(erasure);
  log.isLost = true;
  expect(await erasure.erase(true)).toEqual(err(weftError('WF011')));
  log.paste('hunter2, said Bob');
  expect(await erasure.erase(true)).toEqual(ok(undefined));
  expect(log.titles).toHaveLength(2);
  expect(log.text).not.toContain('hunter2');
});

test('more copies than the person was told of are not erased without asking again', async () => {
  const log = new ErasableLog('It is hunter2 now');
  const erasure = log.erasure('hunter2');
  // The title.
  expect(await ready(erasure)).toEqual({ phase: 'ready', copies: 1 });
  log.paste('hunter2, said Bob');
  expect(await erasure.erase(true)).toEqual(err('moreCopies'));
  expect(erasure.getView()).toEqual({ phase: 'ready', copies: 2 });
  expect(log.text).toContain('It is hunter2 now');
  expect(await erasure.erase(true)).toEqual(ok(undefined));
});

test('without the copies, only what was chosen is erased, wherever it stood', async () => {
  const log = new ErasableLog('It is hunter2 now', 'hunter2 too');
  const erasure = log.erasure('hunter2');
  await ready(erasure);
  expect(await erasure.erase(false)).toEqual(ok(undefined));
  expect(textAt(log.writer.doc, 1).toString()).toBe('hunter2 too');
  expect(log.text.match(/hunter2/g)).toHaveLength(2);
  expect(log.titles).toEqual(['About hunter2']);
});

test('letters that no row has yet are not erased', async () => {
  const log = new ErasableLog('It is hunter2 now');
  textAt(log.writer.doc, 0).insert(0, 'unsent ');
  const erasure = log.erasure('unsent');
  expect(await ready(erasure)).toEqual({ phase: 'failed', reason: 'notSaved' });
  log.writer.send(log.rows);
  await erasure.look();
  expect(erasure.getView()).toEqual({ phase: 'ready', copies: 0 });
});
