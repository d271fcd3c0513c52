// Child process of plain-yjs.test.ts: lets Yjs alone, without anything of src/yjs, do what we replace in it, and prints what
// happened as JSON.
import { createHash } from 'node:crypto';
import process from 'node:process';
import * as Y from 'yjs';

/** More than the stack of any browser has room for. */
const LEVELS = 20_000;
/** A number for which its square is far above anything that grows with it alone. */
const COUNT = 1_000;

const METHODS = {
  'ContentAny.mergeWith': Y.ContentAny.prototype.mergeWith,
  'ContentJSON.mergeWith': Y.ContentJSON.prototype.mergeWith,
  'ContentType.delete': Y.ContentType.prototype.delete,
  'ContentType.gc': Y.ContentType.prototype.gc,
  'Item.integrate': Y.Item.prototype.integrate,
  'XmlFragment.delete': Y.XmlFragment.prototype.delete,
};

/** `new Y.Doc()` gives it a random client id, on which the order of what people write at one place depends. */
function docOf(client: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = client;
  return doc;
}

/** The updates that a client writes. */
function updatesOf(client: number, write: (doc: Y.Doc) => void, known?: Uint8Array): readonly Uint8Array[] {
  const doc = docOf(client);
  if (known !== undefined) Y.applyUpdate(doc, known);
  const updates: Uint8Array[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(update));
  write(doc);
  return updates;
}

/** The error that something throws. */
function thrownBy(run: () => void): string {
  try {
    run();
    return 'nothing';
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}

/** The sum over all calls of a method while something runs. */
function sumOf(prototype: object, name: string, counts: (result: unknown) => number, run: () => void): number {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== 'function') throw new Error(`there is no method ${name}`);
  let sum = 0;
  Reflect.set(prototype, name, function counted(this: unknown, ...values: unknown[]): unknown {
    const result: unknown = Reflect.apply(method, this, values);
    sum += counts(result);
    return result;
  });
  run();
  Reflect.set(prototype, name, method);
  return sum;
}

/** What is left of two elements after `delete(0)`, with a mark stored in front of the first. */
function deletionBehindMark(): readonly string[] {
  const doc = docOf(1);
  const body = doc.getXmlFragment('body');
  body.insert(0, [new Y.XmlElement('first'), new Y.XmlElement('second')]);
  const hostile = updatesOf(
    2,
    (other) => other.getText('body').format(0, 1, { bold: true }),
    Y.encodeStateAsUpdate(doc),
  );
  for (const update of hostile) Y.applyUpdate(doc, update);
  body.delete(0);
  return body.toArray().map((child) => (child instanceof Y.XmlElement ? child.nodeName : 'another'));
}

/** A list in a list in a list …, from the outermost on. */
function nestedLists(doc: Y.Doc): readonly Y.Array<unknown>[] {
  const lists: Y.Array<unknown>[] = [];
  doc.transact(() => {
    let list: Y.Array<unknown> = doc.getArray('list');
    for (let level = 0; level < LEVELS; level++) {
      lists.push(list);
      const inner = new Y.Array<unknown>();
      list.insert(0, [inner]);
      list = inner;
    }
  });
  return lists;
}

/** The outermost one is deleted, and with it all others. */
function nestedDeletion(): string {
  const doc = docOf(1);
  const [outermost] = nestedLists(doc);
  return thrownBy(() => outermost?.delete(0));
}

/** They are deleted one by one, the innermost one first, so only the garbage collection calls itself for each level. */
function nestedCollection(): string {
  const doc = docOf(1);
  const lists = nestedLists(doc);
  return thrownBy(() => doc.transact(() => lists.toReversed().forEach((list) => list.delete(0))));
}

/** How many values are copied to merge a chain of values that arrives in one update. */
function copiesOfChain(ofContent: (value: number) => Y.ContentAny | Y.ContentJSON): number {
  const updates = updatesOf(1, (doc) => {
    const list = doc.getArray('list');
    for (let n = 0; n < COUNT; n++) {
      doc.transact((transaction) => {
        const last = n === 0 ? null : Y.createID(1, n - 1);
        const left = last === null ? null : Y.getItem(doc.store, last);
        const id = Y.createID(1, n);
        new Y.Item(id, left, last, null, null, list, null, ofContent(n)).integrate(transaction, 0);
      });
    }
  });
  const chain = Y.mergeUpdates([...updates]);
  const doc = docOf(2);
  return sumOf(
    Array.prototype,
    'concat',
    (joined) => (Array.isArray(joined) ? joined.length : 0),
    () => {
      Y.applyUpdate(doc, chain);
    },
  );
}

/** How many items Yjs notes while two clients' insertions at the beginning of one text meet. */
function notedItems(): number {
  const insertions = (client: number) =>
    updatesOf(client, (doc) => {
      for (let n = 0; n < COUNT; n++) doc.getText('text').insert(0, 'x');
    });
  const doc = docOf(3);
  Y.applyUpdate(doc, Y.mergeUpdates([...insertions(1)]));
  const theirs = Y.mergeUpdates([...insertions(2)]);
  return sumOf(
    Set.prototype,
    'add',
    () => 1,
    () => Y.applyUpdate(doc, theirs),
  );
}

/** An update with one character that names two characters of client 1 as its neighbours. */
function between(client: number, origin: number, right: number, character: string, known: Uint8Array): Uint8Array {
  const [update] = updatesOf(
    client,
    (doc) => {
      const text = doc.getText('text');
      const ids = [Y.createID(client, 0), Y.createID(1, origin), Y.createID(1, right)] as const;
      const content = new Y.ContentString(character);
      doc.transact((transaction) => {
        new Y.Item(ids[0], text._start, ids[1], null, ids[2], text, null, content).integrate(transaction, 0);
      });
    },
    known,
  );
  if (update === undefined) throw new Error('nothing was written');
  return update;
}

/** The text in two copies: a forged item arrives before or after the item with both of its neighbours is cut. */
function textsAroundCut(origin: number, right: number): readonly string[] {
  const [word = new Uint8Array()] = updatesOf(1, (doc) => doc.getText('text').insert(0, 'abcdef'));
  const forged = between(2, origin, right, 'F', word);
  const cut = between(3, 2, 3, '-', word);
  return [
    [word, forged, cut],
    [word, cut, forged],
  ].map((updates) => {
    const doc = docOf(4);
    for (const update of updates) Y.applyUpdate(doc, update);
    return doc.getText('text').toString();
  });
}

/** How many items with one and the same character on both sides an undo writes. */
function itemsBetweenOneCharacter(): number {
  const doc = docOf(1);
  const list = doc.getArray('list');
  const undo = new Y.UndoManager(list, { captureTimeout: 0 });
  const text = new Y.Text();
  list.insert(0, [text]);
  text.insert(0, 'abc');
  undo.undo();
  undo.redo();
  text.insert(2, 'AB');
  text.delete(1, 3);
  list.delete(0);
  let count = 0;
  doc.on('update', (update: Uint8Array) => {
    for (const struct of Y.decodeUpdate(update).structs) {
      const { origin, rightOrigin } = struct instanceof Y.Item ? struct : { origin: null, rightOrigin: null };
      if (origin !== null && Y.compareIDs(origin, rightOrigin)) count += 1;
    }
  });
  undo.undo();
  return count;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const faults = {
  count: COUNT,
  deletionBehindMark: deletionBehindMark(),
  nestedDeletion: nestedDeletion(),
  nestedCollection: nestedCollection(),
  copiesOfAny: copiesOfChain((value) => new Y.ContentAny([value])),
  copiesOfJson: copiesOfChain((value) => new Y.ContentJSON([value])),
  notedItems: notedItems(),
  textsAroundCut: textsAroundCut(3, 1),
  textsBesideOneCharacter: textsAroundCut(3, 3),
  itemsBetweenOneCharacter: itemsBetweenOneCharacter(),
  hashes: Object.fromEntries(Object.entries(METHODS).map(([name, method]) => [name, sha256(String(method))])),
};
process.stdout.write(JSON.stringify(faults));
