// Writes a history into Weft's log as its author's session would: rows of a given number of edits, and a snapshot.
import { randomUUID } from 'node:crypto';
import type { Log } from 'weft-sync/ports.ts';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { type SessionId, parseSessionId } from 'weft-sync/protocol/ids.ts';
import { supabaseLog } from 'weft-sync/supabase/log.ts';
import * as Y from 'yjs';
import { toBase64 } from '../src/lib/bytes.ts';
import { deflate } from '../src/lib/deflate.ts';
import type { Result } from '../src/lib/result.ts';
import { sha256 } from '../src/lib/sha256.ts';
import { SCHEMA_VERSION } from '../src/protocol/limits.ts';
import { rpc } from '../tests/support/server/rpc.ts';
import { type Member } from './systems/weft.ts';

export class StoredPage {
  readonly #author: Member;
  readonly #log: Log;
  readonly #session: SessionId;
  #written = 0;
  #head = 0;

  private constructor(author: Member, session: SessionId) {
    this.#author = author;
    this.#log = supabaseLog(author.client);
    this.#session = session;
  }

  /** `clientId` is the Yjs client id in the updates. */
  static async begin(author: Member, clientId: number): Promise<StoredPage> {
    const session = parseSessionId(randomUUID());
    if (session === null) throw new Error('malformed id');
    const page = new StoredPage(author, session);
    value(await page.#log.startSession({ document: author.id, session, clientId, schemaVersion: SCHEMA_VERSION }));
    return page;
  }

  async append(updates: readonly Uint8Array[], perRow: number): Promise<void> {
    for (let at = 0; at < updates.length; at += perRow) {
      const row = updates.slice(at, at + perRow);
      const answer = value(
        await this.#log.append({
          document: this.#author.id,
          session: this.#session,
          nFrom: this.#written + 1,
          nTo: this.#written + row.length,
          update: new Uint8Array(Y.mergeUpdates([...row])),
          dependencies: [],
          knownSeq: this.#head,
          schemaVersion: SCHEMA_VERSION,
          livePeers: 0,
        }),
      );
      this.#written += row.length;
      this.#head = answer.head;
    }
  }

  /** Saves a snapshot of everything appended, which `doc` holds. Returns its stored size in bytes. */
  async saveSnapshot(doc: Y.Doc): Promise<number> {
    const state = await deflate(new Uint8Array(Y.encodeStateAsUpdateV2(doc)));
    const { id: document, client } = this.#author;
    await rpc(client, 'claim_snapshot', { document });
    const snapshot = { document, seq: this.#head, state: toBase64(state), sha256: await sha256(state) };
    await rpc(client, 'save_snapshot', snapshot);
    return state.length;
  }
}

function value<T>(answer: Result<T, WeftError>): T {
  if (!answer.ok) throw new Error(`${answer.error.code} ${answer.error.detail}`);
  return answer.value;
}
