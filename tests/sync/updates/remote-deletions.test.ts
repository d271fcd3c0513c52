import { expect, test } from 'vitest';
import { parseSessionId } from 'weft-sync/protocol/ids.ts';
import { Replica } from 'weft-sync/state/replica.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { remoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import * as Y from 'yjs';

const BOB = parseSessionId('00000000-0000-4000-8000-00000000000b');

test('[LW1] a row’s transaction says which deletions it names and whose they are, and nothing that only went along', () => {
  if (BOB === null) throw new Error('not an id');
  const bob = newDoc(2001);
  const block = new Y.XmlElement('block');
  const words = new Y.XmlText('seen');
  block.insert(0, [words]);
  bob.getXmlFragment('body').insert(0, [block]);
  const made = Y.encodeStateAsUpdate(bob);

  const ada = newDoc(2002);
  const replica = new Replica(ada, null);
  const received: unknown[] = [];
  ada.on('afterTransaction', (transaction: Y.Transaction) => {
    if (!transaction.local) received.push(remoteDeletions(transaction));
  });
  const row = (seq: number, update: Uint8Array) => ({
    seq,
    session: BOB,
    clientId: 2001,
    nFrom: seq,
    nTo: seq,
    update: new Uint8Array(update),
    dependencies: [],
  });
  replica.take([row(1, made)]);
  const text = ada.getXmlFragment('body').get(0);
  const inside = text instanceof Y.XmlElement ? text.get(0) : null;
  if (inside instanceof Y.XmlText) inside.insert(4, ' unseen');

  let deleted = new Uint8Array();
  bob.on('update', (update: Uint8Array) => (deleted = new Uint8Array(update)));
  bob.getXmlFragment('body').delete(0, 1);
  replica.take([row(2, deleted)]);
  // The block, its text and four characters; not the seven characters of carol's that went with them.
  expect(received.at(-1)).toEqual([{ by: BOB, deletes: new Map([[2001, [{ clock: 0, len: 6 }]]]) }]);
  expect(ada.getXmlFragment('body').length).toBe(0);
});
