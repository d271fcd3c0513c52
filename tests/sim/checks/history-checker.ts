// Compacting and erasing must keep the original rows of everyone with their times, and the erased characters, by their ids, must
// be gone.
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import type { StoredDocument } from 'weft-sync/ports.ts';
import { firstSeqOf } from 'weft-sync/protocol/first-seq.ts';
import { type Row, encodeRows } from 'weft-sync/protocol/row.ts';
import { decodeState, decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';

type Range = readonly [from: number, to: number];
type Structs = Iterable<Y.Item | Y.GC | Y.Skip>;

export class HistoryChecker {
  /** Every row as it was appended, and every compacted one. */
  #rows: readonly Row[] = [];
  readonly #first: Row[] = [];
  readonly #erased = new Map<number, Range[]>();

  appended(row: Row): void {
    this.#first.push(row);
    this.#rows = [...this.#rows, row];
  }

  compacted(row: Row): void {
    this.#rows = [...this.#rows, row];
  }

  erased(characters: readonly CharacterRange[]): void {
    for (const [client, clock, length] of characters)
      this.#erased.set(client, [...(this.#erased.get(client) ?? []), [clock, clock + length]]);
  }

  /** The log once held exactly this row, or holds it now. */
  wasInLog(row: Row): boolean {
    return this.#rows.some((known) => known.seq === row.seq && isSame(known, row));
  }

  /** The seqs of appended rows that these rows no longer hold under their author and in their editing session. */
  lost(rows: readonly Row[]): readonly number[] {
    return this.#first.flatMap((first) => {
      const row = rows.find((one) => firstSeqOf(one) <= first.seq && first.seq <= one.seq);
      const isThere =
        row !== undefined &&
        [row, ...(row.firstSeq === undefined ? [] : row.dependencies)].some(
          ({ session, clientId, nFrom, nTo }) =>
            session === first.session && clientId === first.clientId && nFrom <= first.nFrom && nTo >= first.nTo,
        );
      const isInTime = (row?.firstAt ?? row?.at ?? 0) <= (first.at ?? 0) && (first.at ?? 0) <= (row?.at ?? 0);
      return isThere && isInTime ? [] : [first.seq];
    });
  }

  /** The number of erased characters in these bytes. */
  inUpdate(update: Bytes): number {
    return this.#inStructs(decodeUpdate(update)?.structs ?? []);
  }

  inRows(rows: readonly Row[]): number {
    return sum(rows.flatMap((row) => [row, ...row.dependencies].map((part) => this.inUpdate(part.update))));
  }

  inState(state: Bytes): number {
    return this.#inStructs(decodeState(state)?.structs ?? []);
  }

  inDoc(doc: Y.Doc): number {
    return sum([...doc.store.clients.values()].map((structs) => this.#inStructs(structs)));
  }

  /** `mayEdit`: the edits of someone who may not stay on their device, whatever others wrote of them into the log. */
  inStored({ outboxes, rows, snapshot }: StoredDocument, mayEdit: boolean): number {
    const entries = outboxes.flatMap((outbox) => (mayEdit && outbox.refused === null ? outbox.entries : []));
    const updates = entries.flatMap(({ update, buildsOn }) => [update, ...buildsOn.map((part) => part.update)]);
    const state = snapshot === null ? 0 : this.inState(snapshot.state);
    return this.inRows(rows) + state + sum(updates.map((update) => this.inUpdate(update)));
  }

  #inStructs(structs: Structs): number {
    let found = 0;
    for (const struct of structs) {
      if (!(struct instanceof Y.Item) || !(struct.content instanceof Y.ContentString)) continue;
      const { clock, client } = struct.id;
      for (const [from, to] of this.#erased.get(client) ?? []) {
        const text = struct.content.str.slice(Math.max(0, from - clock), Math.max(0, to - clock));
        if (text !== '') found += 1;
      }
    }
    return found;
  }
}

function isSame(one: Row, other: Row): boolean {
  const bytes = [one, other].map((row) => encodeRows({ kind: 'rows', head: 0, rows: [row] }));
  return Buffer.compare(bytes[0] ?? new Uint8Array(0), bytes[1] ?? new Uint8Array(0)) === 0;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
