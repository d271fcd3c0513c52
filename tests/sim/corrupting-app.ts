// An app with a defect: appends rows that no reader can apply. The server takes them, because it does not look inside.
import * as Y from 'yjs';
import type { Bytes } from '../../src/lib/bytes.ts';
import { seededRandom } from '../memory/seeded-random.ts';
import { SCHEMA_VERSION } from '../../src/protocol/limits.ts';
import { drawClientId } from '../../src/sync/updates/new-doc.ts';
import { DOCUMENT, userId } from '../sync/sync-harness.ts';
import { textOf } from './content.ts';
import type { Witness } from './log-checker.ts';

const VANDAL = userId(8);

/** One row, damaged in one of three ways; the same numbers do the same damage. */
export async function vandalize(witness: Witness, next: () => number): Promise<void> {
  const random = seededRandom(Math.floor(next() * 2 ** 32));
  const session = random.session();
  const clientId = drawClientId(next);
  witness.vandal(session);
  witness.setRole(VANDAL, 'editor');
  const log = witness.log(VANDAL, () => session);
  const schemaVersion = SCHEMA_VERSION;
  await log.startSession({ document: DOCUMENT, session, clientId, schemaVersion });
  const update = damaged(Math.floor(next() * 3), clientId);
  const append = { document: DOCUMENT, session, nFrom: 1, nTo: 1, update, dependencies: [], knownSeq: 0 };
  await log.append({ ...append, schemaVersion, joined: null });
}

function damaged(kind: number, clientId: number): Bytes {
  if (kind === 0) return Uint8Array.of(255, 1, 2, 3);
  const doc = new Y.Doc();
  // Somebody else's client id.
  doc.clientID = kind === 1 ? clientId : clientId + 1;
  textOf(doc).insert(0, 'before');
  const before = Y.encodeStateVector(doc);
  textOf(doc).insert(3, 'VANDAL');
  // What it builds on was never appended.
  const update = new Uint8Array(kind === 1 ? Y.encodeStateAsUpdate(doc, before) : Y.encodeStateAsUpdate(doc));
  doc.destroy();
  return update;
}
