// The random modifications of Yjs's own tests (y-array, y-map, y-text: plain and rich), written anew for our peers, and
// the same idea for XML, for which Yjs has no random test. One list per shared type; every entry is one small edit.
import * as prng from 'lib0/prng';
import * as Y from 'yjs';

export type Edit = (doc: Y.Doc, random: prng.PRNG) => void;

/** Types that may be nested at random: the same list for arrays and for maps. */
const NESTED = [
  () => new Y.Map<unknown>([['someprop', 42]]),
  () => Y.Array.from([1, 2, 3]),
  () => new Y.Text('nested'),
] as const;

let uniqueNumber = 0;

export const arrayEdits: readonly Edit[] = [
  function insertNumbers(doc, random) {
    const array = doc.getArray('array');
    const number = uniqueNumber++;
    const content = Array.from({ length: prng.int32(random, 1, 4) }, () => number);
    const before = array.toJSON();
    const at = prng.int32(random, 0, array.length);
    array.insert(at, content);
    before.splice(at, 0, ...content);
    same(array.toJSON(), before);
  },
  function insertArray(doc, random) {
    const array = doc.getArray('array');
    const at = prng.int32(random, 0, array.length);
    array.insert(at, [new Y.Array()]);
    const inner = array.get(at);
    if (inner instanceof Y.Array) inner.insert(0, [1, 2, 3, 4]);
  },
  function insertMap(doc, random) {
    const array = doc.getArray('array');
    const at = prng.int32(random, 0, array.length);
    array.insert(at, [new Y.Map()]);
    const inner = array.get(at);
    if (!(inner instanceof Y.Map)) return;
    inner.set('someprop', 42);
    inner.set('someprop', 43);
    inner.set('someprop', 44);
  },
  function insertNull(doc, random) {
    const array = doc.getArray('array');
    array.insert(prng.int32(random, 0, array.length), [null]);
  },
  function remove(doc, random) {
    const array = doc.getArray('array');
    if (array.length === 0) return;
    const at = prng.int32(random, 0, array.length - 1);
    const length = prng.int32(random, 1, Math.min(2, array.length - at));
    const inner = array.get(at);
    if (inner instanceof Y.Array && inner.length > 0 && prng.bool(random)) {
      const within = prng.int32(random, 0, inner.length - 1);
      inner.delete(within, prng.int32(random, 1, Math.min(2, inner.length - within)));
      return;
    }
    const before = array.toJSON();
    array.delete(at, length);
    before.splice(at, length);
    same(array.toJSON(), before);
  },
];

const KEYS = ['one', 'two'] as const;

export const mapEdits: readonly Edit[] = [
  function set(doc, random) {
    doc.getMap('map').set(prng.oneOf(random, [...KEYS]), prng.utf16String(random));
  },
  function setType(doc, random) {
    const map = doc.getMap('map');
    const key = prng.oneOf(random, [...KEYS]);
    map.set(key, prng.oneOf(random, [...NESTED])());
    const inner = map.get(key);
    if (inner instanceof Y.Array) inner.insert(1, [4]);
    if (inner instanceof Y.Map) inner.set('deepkey', 'deepvalue');
  },
  function setDeep(doc, random) {
    const inner = doc.getMap('map').get(prng.oneOf(random, [...KEYS]));
    if (inner instanceof Y.Map) inner.set(prng.oneOf(random, [...KEYS]), prng.int32(random, 0, 9));
    if (inner instanceof Y.Text) inner.insert(prng.int32(random, 0, inner.length), prng.word(random));
  },
  function remove(doc, random) {
    doc.getMap('map').delete(prng.oneOf(random, [...KEYS]));
  },
];

const CHARS_BEFORE = 100_000;

export const textEdits: readonly Edit[] = [
  function insert(doc, random) {
    const text = doc.getText('text');
    if (text.length < CHARS_BEFORE) text.insert(prng.int32(random, 0, text.length), prng.word(random));
  },
  function remove(doc, random) {
    const text = doc.getText('text');
    const at = prng.int32(random, 0, text.length);
    text.delete(at, prng.int32(random, 0, text.length - at));
  },
];

type Marks = Record<string, unknown>;
const MARKS: readonly Marks[] = [
  { bold: true },
  { italic: true },
  { italic: true, color: '#888' },
  { bold: null },
  { color: '#f00' },
  { color: null, italic: null },
];
/** Undefined inherits the format to the left, an empty object inherits nothing. */
const MARKS_OF_INSERTS: readonly (Marks | undefined)[] = [undefined, {}, ...MARKS];

export const richTextEdits: readonly Edit[] = [
  function insertText(doc, random) {
    const text = doc.getText('text');
    text.insert(prng.int32(random, 0, text.length), prng.word(random), prng.oneOf(random, [...MARKS_OF_INSERTS]));
  },
  function insertEmbed(doc, random) {
    const text = doc.getText('text');
    const at = prng.int32(random, 0, text.length);
    if (prng.bool(random)) text.insertEmbed(at, { image: 'a picture' });
    else text.insertEmbed(at, new Y.Map([[prng.word(random), prng.word(random)]]), {});
  },
  function removeText(doc, random) {
    const text = doc.getText('text');
    const at = prng.int32(random, 0, text.length);
    text.delete(at, Math.min(text.length - at, prng.int32(random, 0, 8)));
  },
  function formatText(doc, random) {
    const text = doc.getText('text');
    const at = prng.int32(random, 0, text.length);
    const length = prng.int32(random, 0, text.length - at);
    text.format(at, length, prng.oneOf(random, [...MARKS]));
  },
  function insertCodeBlock(doc, random) {
    const text = doc.getText('text');
    const delta: unknown[] = [
      { insert: prng.word(random) },
      { insert: '\n', attributes: { 'code-block': true } },
      { insert: prng.word(random) },
    ];
    const at = prng.int32(random, 0, text.length);
    text.applyDelta(at > 0 ? [{ retain: at }, ...delta] : delta);
  },
];

export const xmlEdits: readonly Edit[] = [
  function insertElement(doc, random) {
    const parent = someElement(doc, random);
    const element = new Y.XmlElement(prng.oneOf(random, ['p', 'h1', 'ul', 'li']));
    parent.insert(prng.int32(random, 0, parent.length), [element]);
  },
  function insertParagraph(doc, random) {
    const parent = someElement(doc, random);
    const element = new Y.XmlElement('p');
    element.setAttribute('id', prng.word(random));
    element.insert(0, [new Y.XmlText(prng.word(random))]);
    parent.insert(prng.int32(random, 0, parent.length), [element]);
  },
  function write(doc, random) {
    const text = someText(doc, random);
    text?.insert(prng.int32(random, 0, text.length), prng.word(random), prng.oneOf(random, [...MARKS_OF_INSERTS]));
  },
  function format(doc, random) {
    const text = someText(doc, random);
    if (text === null) return;
    const at = prng.int32(random, 0, text.length);
    text.format(at, prng.int32(random, 0, text.length - at), prng.oneOf(random, [...MARKS]));
  },
  function erase(doc, random) {
    const text = someText(doc, random);
    if (text === null) return;
    const at = prng.int32(random, 0, text.length);
    text.delete(at, Math.min(text.length - at, prng.int32(random, 0, 5)));
  },
  function setAttribute(doc, random) {
    someElement(doc, random).setAttribute(prng.oneOf(random, ['class', 'id', 'level']), prng.word(random));
  },
  function removeAttribute(doc, random) {
    someElement(doc, random).removeAttribute(prng.oneOf(random, ['class', 'id', 'level']));
  },
  function removeChildren(doc, random) {
    const parent = someElement(doc, random);
    if (parent.length === 0) return;
    const at = prng.int32(random, 0, parent.length - 1);
    parent.delete(at, prng.int32(random, 1, Math.min(2, parent.length - at)));
  },
  function moveInOneTransaction(doc, random) {
    const parent = someElement(doc, random);
    if (parent.length < 2) return;
    const from = prng.int32(random, 0, parent.length - 1);
    const moved = parent.get(from);
    doc.transact(() => {
      const copy = moved.clone();
      parent.delete(from, 1);
      parent.insert(prng.int32(random, 0, parent.length), [copy]);
    });
  },
];

/** The root or some element in it, at any depth. */
function someElement(doc: Y.Doc, random: prng.PRNG): Y.XmlElement {
  let element = doc.get('xml', Y.XmlElement);
  for (;;) {
    const children = element.toArray().filter((child) => child instanceof Y.XmlElement);
    if (children.length === 0 || prng.bool(random)) return element;
    element = prng.oneOf(random, children);
  }
}

function someText(doc: Y.Doc, random: prng.PRNG): Y.XmlText | null {
  const texts = someElement(doc, random)
    .toArray()
    .filter((child) => child instanceof Y.XmlText);
  return texts.length === 0 ? null : prng.oneOf(random, texts);
}

function same(is: unknown, shouldBe: unknown): void {
  if (JSON.stringify(is) !== JSON.stringify(shouldBe)) throw new Error('an edit did something else than it said');
}
