// An app with a defect: it appends rows that no reader can apply. The server accepts them, because it does not decode
// updates.
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { randomClientId } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { DOCUMENT, userId } from '../../sync/sync-harness.ts';
import { textOf } from '../checks/document-content.ts';
import type { LogChecker } from '../checks/log-checker.ts';

const CORRUPTING_USER = userId(8);

/** Appends one row, damaged in one of three ways that the random numbers choose. */
export async function appendCorruptRow(checker: LogChecker, next: () => number): Promise<void> {
  const session = seededRandom(Math.floor(next() * 2 ** 32)).session();
  const clientId = randomClientId(next);
  checker.expectCorrupt(session);
  checker.setRole(CORRUPTING_USER, 'editor');
  const log = checker.log(CORRUPTING_USER, () => session);
  const schemaVersion = SCHEMA_VERSION;
  await log.startSession({ document: DOCUMENT, session, clientId, schemaVersion });
  const update = corruptUpdate(Math.floor(next() * 3), clientId);
  const append = { document: DOCUMENT, session, nFrom: 1, nTo: 1, update, dependencies: [], knownSeq: 0 };
  await log.append({ ...append, schemaVersion, livePeers: null });
}

function corruptUpdate(kind: number, clientId: number): Bytes {
  // Bytes that do not decode.
  if (kind === 0) return Uint8Array.of(255, 1, 2, 3);
  const doc = new Y.Doc();
  // Kind 2: structs of another client id than the session registered.
  doc.clientID = kind === 1 ? clientId : clientId + 1;
  textOf(doc).insert(0, 'before');
  const before = Y.encodeStateVector(doc);
  textOf(doc).insert(3, 'DAMAGE');
  // Kind 1: the edit that this one builds on was never appended.
  const update = new Uint8Array(kind === 1 ? Y.encodeStateAsUpdate(doc, before) : Y.encodeStateAsUpdate(doc));
  doc.destroy();
  return update;
}
