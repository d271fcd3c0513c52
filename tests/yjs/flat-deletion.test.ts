import { expect, test } from 'vitest';
import { decodeUpdate } from 'weft-sync/updates/decoded-update.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import * as Y from 'yjs';
import { type ForgedStruct, forge } from '../sync/forge.ts';

const MALLORY = 6000;

test('[GB1] types that many updates nest are deleted and collected, however deep', () => {
  const levels = 10_000;
  const body = { ref: 'type', type: 3, name: 'block' } as const;
  const doc = newDoc();
  doc.getText('title').insert(0, 'A page');
  doc.getXmlFragment('body').insert(0, [new Y.XmlElement('block')]);
  doc.getXmlFragment('body').delete(0, 1);
  for (let at = 0; at < levels; at += 50) {
    const structs = Array.from({ length: 50 }, (_, more): ForgedStruct =>
      at + more === 0
        ? { parent: 'body', content: body }
        : { parent: [MALLORY, at + more - 1], sub: at % 100 === 0 ? 'in' : null, content: body },
    );
    const update = forge([{ client: MALLORY, clock: at, structs }]);
    expect(decodeUpdate(update)).not.toBeNull();
    Y.applyUpdate(doc, update, 'row');
  }
  const before = Y.encodeStateVector(doc);
  doc.getXmlFragment('body').delete(0, 1);
  expect(Y.encodeStateVector(doc)).toEqual(before);
  const [struct] = doc.store.clients.get(MALLORY) ?? [];
  // All in one piece: nothing was left out.
  expect([struct instanceof Y.Item, struct?.length, doc.store.clients.get(MALLORY)?.length]).toEqual([true, 1, 2]);
  expect(doc.getXmlFragment('body').length).toBe(0);
});
