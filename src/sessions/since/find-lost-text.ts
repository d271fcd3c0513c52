// Finds words in the log that someone deleted with a block, row or cell without having seen them. If the tab they were typed in
// was closed before the deletion reached it, no one was told.
import { bodyText } from 'weft-document/body/body-text.ts';
import { bodyOf } from 'weft-document/names.ts';
import {
  type DeletedRanges,
  blockOf,
  isNamed,
  lostTexts,
  mergedDeletions,
  recoveredTextOf,
  whoDeleted,
} from 'weft-document/recovered-text/lost-texts.ts';
import { idsBefore, kindOf, lineOf } from 'weft-document/recovered-text/place.ts';
import type { SessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { type AuthoredDeletions, remoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import * as Y from 'yjs';
import { cutText } from '../../lib/text/cut-text.ts';
import type { LostSinceVisit } from '../../ports/changes.ts';

/** A page where more was lost was deleted on purpose. */
const MAX_FOUND = 20;
const MAX_WORDS_LENGTH = 20_000;

export type LostInLog = Pick<LostSinceVisit, 'key' | 'words' | 'kind' | 'line' | 'after'> & {
  /** The row that made the words disappear, and its time. */
  readonly seq: number;
  readonly at: number | null;
  /** The session that deleted them; null if no row that was read says so. */
  readonly by: SessionId | null;
  /** The Yjs client that wrote them. */
  readonly client: number;
};

export class LostInLogFinder {
  readonly #doc: Y.Doc;
  readonly #found: LostInLog[] = [];
  /** Characters may come after the row that deleted what they are in. */
  readonly #deletions: AuthoredDeletions[] = [];
  #row: Row | null = null;

  /** `doc` must not collect garbage, or characters that come late are dropped unread. */
  constructor(doc: Y.Doc) {
    this.#doc = doc;
    doc.on('afterTransaction', (transaction: Y.Transaction) => this.#read(transaction));
  }

  /** The row that is applied next. Its deletions count; those of rows before the first one do not. */
  begin(row: Row): void {
    this.#row = row;
  }

  /** Leaves out words that are on the page again, for example because their writer's tab put them back. */
  found(): readonly LostInLog[] {
    if (this.#found.length === 0) return [];
    const text = bodyText(this.#doc);
    return this.#found.filter(({ words }) => !words.split(' … ').every((part) => text.includes(part)));
  }

  #read(transaction: Y.Transaction): void {
    const row = this.#row;
    const deletions = remoteDeletions(transaction);
    if (row === null || deletions === null || this.#found.length >= MAX_FOUND) return;
    this.#deletions.push(...deletions);
    const named = mergedDeletions(deletions);
    for (const client of unnamedClients(transaction, named)) {
      for (const lost of lostTexts(transaction, named, client)) {
        const words = cutText(recoveredTextOf(lost).trim(), MAX_WORDS_LENGTH);
        const id = lost.part._item?.id;
        if (words === '' || id === undefined) continue;
        const block = blockOf(bodyOf(this.#doc), lost.part) ?? lost.part;
        this.#found.push({
          key: lost.first,
          seq: row.seq,
          at: row.at ?? null,
          by: whoDeleted(this.#deletions, id),
          client,
          words,
          kind: kindOf(block),
          ...lineOf(lost.part),
          after: idsBefore(block),
        });
      }
    }
  }
}

/** The clients with characters that disappear although no deletion names them. */
function unnamedClients(transaction: Y.Transaction, named: DeletedRanges): ReadonlySet<number> {
  const clients = new Set<number>();
  Y.iterateDeletedStructs(transaction, transaction.deleteSet, (struct) => {
    if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentString)) return;
    const { client, clock } = struct.id;
    if (!clients.has(client) && !isNamed(named, client, clock, struct.length)) clients.add(client);
  });
  return clients;
}
