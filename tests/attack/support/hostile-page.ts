// Pages that a hostile editor has written into, chosen by a seed. Each is a list of attacks; every attack is one row of the
// log, so that a failing page can be reduced to the attacks that fail alone.
import { KINDS } from 'weft-document/blocks/block.ts';
import type { BodyPart } from 'weft-document/body-parts.ts';
import { BLOCK, CELL, CONTENT, DIVIDER, EMBED, FILE, IMAGE, MATH, ROW, TABLE, bodyOf } from 'weft-document/names.ts';
import { setAttribute } from 'weft-document/set-attribute.ts';
import { FIRST_CLIENT_ID, SEED_CLIENT_ID } from 'weft-sync/protocol/ids.ts';
import { MAX_SNAPSHOT_BYTES } from 'weft-sync/protocol/limits.ts';
import * as Y from 'yjs';
import type { Bytes } from '../../../src/lib/bytes.ts';
import {
  type Described,
  Dice,
  anyAttributeName,
  anyMarks,
  anyNodeName,
  anyPlainValue,
  anySharedType,
  anyText,
  anyValue,
  URLS,
} from './hostile-values.ts';

/** The blocks of the page before the attack. The attacks may change the one in the middle. */
export const GOOD = ['first', 'victim', 'last'] as const;

/** The page before the attack: one row. */
export const goodPage = (): Bytes => {
  const doc = new Y.Doc();
  doc.clientID = SEED_CLIENT_ID;
  bodyOf(doc).insert(
    0,
    GOOD.map((text) => wellFormedNode(BLOCK, text, { id: text })),
  );
  return new Uint8Array(Y.encodeStateAsUpdate(doc));
};

/** True for the blocks of the page that no attack changes. */
export function isGood({ element }: BodyPart): boolean {
  if (element?._item?.id.client !== SEED_CLIENT_ID) return false;
  const id: unknown = element.getAttribute('id');
  return id === 'first' || id === 'last';
}

function victimOf(doc: Y.Doc): Y.XmlElement {
  const victim = bodyOf(doc).get(1);
  if (!(victim instanceof Y.XmlElement)) throw new Error('the page has no victim');
  return victim;
}

/** One attack: a session's rows, one after the other. */
export type HostileEdit = { readonly about: string; readonly clientId: number; readonly updates: readonly Bytes[] };

const MOST_ATTACKS = 4;

/** `only`: the indexes of the attacks to keep. */
export const hostilePage = (seed: number): readonly HostileEdit[] =>
  Array.from({ length: 1 + new Dice(seed).below(MOST_ATTACKS) }, (_, at) => hostileEdit(seed, at));

function hostileEdit(seed: number, at: number): HostileEdit {
  const dice = new Dice(seed * 97 + at + 1);
  const doc = new Y.Doc();
  const clientId = FIRST_CLIENT_ID + 1 + at;
  doc.clientID = clientId;
  Y.applyUpdate(doc, goodPage());
  const updates: Bytes[] = [];
  doc.on('update', (update: Uint8Array) => void updates.push(new Uint8Array(update)));
  const [name, attack] = dice.pick([...Object.entries(ATTACKS), ...Object.entries(ATTACKS_IN_ROWS)]);
  let about = '';
  if (Object.hasOwn(ATTACKS_IN_ROWS, name)) about = attack(doc, dice);
  else doc.transact(() => (about = attack(doc, dice)));
  return { about: `${name}: ${about}`, clientId, updates };
}

/** Writes into the page and says what. */
type Attack = (doc: Y.Doc, dice: Dice) => string;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'attributes of a node': (doc, dice) => {
    const { value: name } = anyNodeName(dice);
    const element = wellFormedNode(name, 'words');
    append(doc, element);
    return `${show(name)}, ${writeAttributes(element, dice)}`;
  },
  'attributes of a known block': (doc, dice) => writeAttributes(victimOf(doc), dice),
  'thousands of attributes': (doc, dice) => {
    const { value: name } = anyNodeName(dice);
    const element = wellFormedNode(name, 'words');
    append(doc, element);
    for (let at = 0; at < 5_000; at++) setAttribute(element, `a${at}`, at);
    return show(name);
  },
  'a text': (doc, dice) => {
    const kind = dice.pick(KINDS);
    const text = anyText(dice, 900_000);
    append(doc, wellFormedNode(BLOCK, text.value, { kind, indent: dice.below(12) }));
    return `${text.about} in ${kind}`;
  },
  'a text in a node': (doc, dice) => {
    const name = dice.pick([IMAGE, MATH, CELL, ROW]);
    const text = anyText(dice, 900_000);
    const node = wellFormedNode(name, text.value);
    append(doc, name === CELL ? tableOf([[node]]) : node);
    return `${text.about} in ${name}`;
  },
  'text typed into a good block': (doc, dice) => {
    const text = anyText(dice, 900_000);
    textOf(victimOf(doc)).insert(3, text.value);
    return text.about;
  },
  marks: (doc, dice) => {
    const kind = dice.pick(KINDS);
    const element = wellFormedNode(BLOCK, '', { kind });
    append(doc, element);
    const parts = dice.pick([1, 3, 30]);
    const about: string[] = [];
    for (let at = 0; at < parts; at++) {
      const marks = anyMarks(dice);
      const text = anyText(dice, parts === 1 ? 30_000 : 40);
      textOf(element).applyDelta([
        { retain: textOf(element).length },
        { insert: `${text.value}.`, attributes: marks.value },
      ]);
      if (at < 3) about.push(`${marks.about} on ${text.about}`);
    }
    return `${kind} with ${parts}: ${about.join(', ')}`;
  },
  'a mark on every character': (doc, dice) => {
    const count = dice.pick([1_000, 5_000, 20_000]);
    const node = dice.pick([BLOCK, CELL, IMAGE]);
    const kind = dice.pick(KINDS);
    const marks = dice.pick<(at: number) => Record<string, unknown>>([
      (at) => (at % 2 === 0 ? { bold: {} } : { italic: {} }),
      (at) => ({ link: { href: `https://weft.dev/${at}` } }),
      (at) => ({ mention: { user: `user-${at}` }, bold: {}, underline: {} }),
      (at) => (at % 2 === 0 ? { code: {}, highlight: {}, strike: {} } : {}),
    ]);
    const element = wellFormedNode(node, '', { kind });
    append(doc, node === CELL ? tableOf([[element]]) : element);
    textOf(element).applyDelta(Array.from({ length: count }, (_, at) => ({ insert: 'a', attributes: marks(at) })));
    return `${count} in ${node} ${kind}`;
  },
  'an object in a text': (doc, dice) => {
    const element = wellFormedNode(dice.pick([BLOCK, IMAGE, MATH]), 'words');
    append(doc, element);
    const value = dice.chance(0.5) ? anySharedType(dice) : { value: { image: URLS[0] }, about: 'an object' };
    const text: { insertEmbed(at: number, embed: unknown): void } = textOf(element);
    text.insertEmbed(2, value.value instanceof Y.Doc ? { doc: 1 } : value.value);
    return value.about;
  },
  'something between the blocks': (doc, dice) => {
    const value = dice.chance(0.6) ? anySharedType(dice) : text(dice);
    insertAny(bodyOf(doc), dice.below(4), [value.value]);
    return value.about;
  },
  'values between the blocks': (doc, dice) => {
    const values = Array.from({ length: 1 + dice.below(3) }, () => anyPlainValue(dice));
    doc.getArray<unknown>('body').insert(
      0,
      values.map(({ value }) => storable(value)),
    );
    return values.map(({ about }) => about).join(', ');
  },
  'characters between the blocks': (doc, dice) => {
    const words = anyText(dice, 100_000);
    doc.getText('body').insert(0, `${words.value}.`, dice.chance(0.5) ? anyMarks(dice).value : {});
    return words.about;
  },
  'keys of the body': (doc, dice) => {
    const value = anyValue(dice);
    doc.getMap('body').set(dice.pick(['id', 'kind', '__proto__', 'length', '']), value.value);
    return value.about;
  },
  'something inside a node': (doc, dice) => {
    const { value: name } = anyNodeName(dice);
    const element = wellFormedNode(name, 'words');
    append(doc, element);
    const value = dice.chance(0.7) ? anySharedType(dice) : text(dice);
    insertAny(element, dice.below(2), [value.value]);
    return `${value.about} in ${show(name)}`;
  },
  'several texts in a block': (doc, dice) => {
    const count = dice.pick([2, 3, 50, 2_000]);
    const kind = dice.pick(KINDS);
    append(
      doc,
      element(
        BLOCK,
        { kind, id: 'many' },
        Array.from({ length: count }, (_, at) => new Y.XmlText(at % 3 === 0 ? '' : `${at} `)),
      ),
    );
    return `${count} in ${kind}`;
  },
  'no text in a block': (doc, dice) => {
    const name = dice.pick([BLOCK, IMAGE, MATH, TABLE, ROW, CELL]);
    append(doc, element(name, { kind: dice.pick(KINDS) }, []));
    const victim = victimOf(doc);
    if (dice.chance(0.5)) victim.delete(0, victim.length);
    return name;
  },
  'nodes inside each other': (doc, dice) => {
    const names = dice.some(NESTED, 3);
    const depth = dice.pick([2, 3, 30, 60, 3_000]);
    nest(bodyOf(doc), names, depth);
    return `${depth} of ${names.join(', ')}`;
  },
  'maps inside each other': (doc, dice) => {
    const depth = dice.pick([3, 60, 5_000]);
    const map = new Y.Map<unknown>();
    const node = wellFormedNode(BLOCK, 'words', { kind: dice.pick(KINDS) });
    append(doc, node);
    setAny(node, dice.pick(['id', 'kind', 'style', 'indent']), map);
    let inner = map;
    for (let at = 0; at < depth; at++) {
      const next = new Y.Map<unknown>();
      inner.set('in', next);
      inner = next;
    }
    return `${depth}`;
  },
  'ids that repeat': (doc, dice) => {
    const id = dice.pick<unknown>(['first', 'victim', '', null, 0, 'x'.repeat(100_000), '__proto__', 'blank-1']);
    // No server stores more in one page.
    const count = Math.min(dice.pick([2, 10, 500]), Math.floor(MAX_SNAPSHOT_BYTES / (String(id).length + 100)));
    for (let at = 0; at < count; at++)
      append(
        doc,
        wellFormedNode(dice.pick([BLOCK, DIVIDER, IMAGE, FILE]), 'twin', {
          id,
          kind: dice.pick(KINDS),
          indent: at % 9,
        }),
      );
    return `${count} of ${show(String(id))}`;
  },
  'many blocks': (doc, dice) => {
    const count = dice.pick([300, 1_000, 3_000]);
    const kind = dice.pick(KINDS);
    const blocks = Array.from({ length: count }, (_, at) =>
      wellFormedNode(BLOCK, `${at}`, { kind, id: `many-${at}`, indent: at % 9 }),
    );
    bodyOf(doc).insert(2, blocks);
    return `${count} of ${kind}`;
  },
  'many other nodes': (doc, dice) => {
    const name = dice.pick([DIVIDER, IMAGE, FILE, TABLE, MATH, EMBED, 'hologram', ROW, 'constructor']);
    const count = dice.pick([30, 300, 1_000]);
    bodyOf(doc).insert(
      2,
      Array.from({ length: count }, (_, at) =>
        wellFormedNode(name, `x^${at}`, { id: `other-${at}`, url: `https://weft.dev/${at}` }),
      ),
    );
    return `${count} of ${name}`;
  },
  'a table': (doc, dice) => {
    const [rows, columns] = dice.pick([
      [1, 3_000],
      [3_000, 1],
      [60, 60],
      [3, 3],
      [0, 0],
      [2, 0],
    ] as const);
    const isRagged = dice.chance(0.5);
    const attributes = dice.chance(0.5)
      ? { colspan: 100_000, rowspan: 1e9, width: dice.pick([1e9, -1, NaN, '100%', 800]) }
      : {};
    const cells = Array.from({ length: rows }, () =>
      Array.from({ length: isRagged ? dice.below(columns + 1) : columns }, () => wellFormedNode(CELL, 'c', attributes)),
    );
    // Short rows are drawn as long as the longest.
    const hasLongRow = dice.chance(0.3);
    if (hasLongRow) cells.push(Array.from({ length: 2_000 }, () => wellFormedNode(CELL, 'c')));
    const table = tableOf(cells);
    setAny(table, 'headRow', dice.pick<unknown>([true, 'true', 1, null]));
    setAny(table, 'colspan', 100_000);
    append(doc, table);
    return `${rows} × ${columns}${isRagged ? ', ragged' : ''}${hasLongRow ? ', one row of 2000' : ''}, ${Object.keys(attributes).join('+')}`;
  },
  'odd children of a table': (doc, dice) => {
    const odd = () =>
      dice.pick<() => Y.XmlElement | Y.XmlText>([
        () => new Y.XmlText('loose'),
        () => wellFormedNode(BLOCK, 'block'),
        () => wellFormedNode(CELL, 'cell'),
        () => wellFormedNode(TABLE, 'x'),
        () => new Y.XmlElement(anyNodeName(dice).value),
      ])();
    const row = element(ROW, {}, [wellFormedNode(CELL, 'a'), odd(), odd()]);
    append(doc, element(TABLE, { id: 'odd' }, dice.chance(0.5) ? [row, odd()] : [row]));
    return '';
  },
  'a picture': (doc, dice) => {
    const value = () => dice.pick<unknown>([0, -1, 1, 1e5, 1e9, 2 ** 53 - 1, NaN, Infinity, '1e9', null, 0.001, {}]);
    const file = dice.pick<unknown>([
      '00000000-0000-4000-8000-000000000009',
      '../../x',
      `javascript:x()`,
      '',
      null,
      {},
      'x'.repeat(10_000),
    ]);
    const attributes = {
      file,
      width: value(),
      height: value(),
      size: value(),
      bytes: value(),
      name: anyText(dice, 30_000).value,
    };
    const name = dice.pick([IMAGE, FILE]);
    append(doc, wellFormedNode(name, anyText(dice, 3_000).value, attributes));
    return `${name} ${show(JSON.stringify({ ...attributes, name: '' }))}`;
  },
  'a card': (doc, dice) => {
    const url = dice.chance(0.7) ? { value: dice.pick(URLS), about: 'URL' } : anyValue(dice);
    const title = dice.chance(0.5) ? anyText(dice, 900_000) : anyValue(dice);
    append(doc, wellFormedNode(EMBED, '', { url: url.value, title: title.value }));
    return `${show(url.about)} ${title.about}`;
  },
  'a formula or code': (doc, dice) => {
    const unit = dice.pick([
      '+x',
      '\\frac1{',
      '{',
      '\\sqrt{',
      'if ',
      '(<',
      '`${',
      '\\href{javascript:x()}{a}',
      '\\def\\a{\\a\\a}\\a',
      '$$',
    ]);
    const source = unit.repeat(Math.ceil(dice.pick([10, 1_000, 20_000, 200_000]) / unit.length));
    const form = dice.pick(['block', 'line', 'code', 'code']);
    if (form === 'block') append(doc, wellFormedNode(MATH, source));
    else if (form === 'line') appendInlineFormulas(doc, dice, source);
    else
      append(
        doc,
        wellFormedNode(BLOCK, source, {
          kind: 'code',
          language: dice.pick(['cpp', 'markdown', 'constructor', '__proto__', 'xml', 'C++'.repeat(3_000)]),
        }),
      );
    return `${source.length} of ${unit}`;
  },
  'a title': (doc, dice) => {
    const words = anyText(dice, 900_000);
    const title = doc.getText('title');
    title.insert(0, words.value, dice.chance(0.3) ? anyMarks(dice).value : {});
    if (dice.chance(0.2)) title.insertEmbed(0, new Y.Map());
    return words.about;
  },
  'a title of another type': (doc, dice) => {
    const value = anyPlainValue(dice);
    if (dice.chance(0.5)) doc.getArray<unknown>('title').insert(0, [storable(value.value)]);
    else doc.getMap('title').set('title', value.value ?? null);
    return value.about;
  },
  'other shared types': (doc, dice) => {
    const count = dice.pick([1, 3_000]);
    for (let at = 0; at < count; at++)
      doc.getMap(count === 1 ? dice.pick(['meta', '__proto__', 'constructor', '']) : `root-${at}`).set('k', at);
    const inner = new Y.Doc({ guid: 'page', autoLoad: true });
    doc.getMap('meta').set('icon', inner);
    return `${count}`;
  },
  'attributes of a text': (doc, dice) => {
    const node = wellFormedNode(BLOCK, 'words');
    append(doc, node);
    const value = anyValue(dice);
    const attributes: { setAttribute(name: string, value: unknown): void } = textOf(node);
    attributes.setAttribute(anyAttributeName(dice), value.value);
    return value.about;
  },
};

/** Every change of the document is a row. */
const ATTACKS_IN_ROWS: Readonly<Record<string, Attack>> = {
  'nodes that many rows nest': (doc, dice) => {
    const names = dice.some(NESTED, 3);
    const rows = dice.pick([3, 100]);
    let inner: Y.XmlFragment = bodyOf(doc);
    for (let at = 0; at < rows; at++) doc.transact(() => (inner = nest(inner, names, 60)));
    if (dice.chance(0.3)) bodyOf(doc).delete(2, 1);
    return `${rows} rows of ${names.join(', ')}`;
  },
  'characters that come and go': (doc, dice) => {
    const text = textOf(victimOf(doc));
    for (let at = 0; at < 200; at++) {
      text.insert(dice.below(text.length), anyText(dice, 40).value);
      if (text.length > 20) text.delete(dice.below(10), 9);
    }
    return '';
  },
  'blocks that come and go': (doc, dice) => {
    for (let at = 0; at < 50; at++) {
      append(doc, wellFormedNode(anyNodeName(dice).value, 'words'));
      if (dice.chance(0.7)) bodyOf(doc).delete(2, 1);
    }
    return '';
  },
};

const NESTED = [BLOCK, BLOCK, TABLE, ROW, CELL, IMAGE, 'list', 'constructor'];

/** Returns the innermost node. */
function nest(outer: Y.XmlFragment, names: readonly string[], depth: number): Y.XmlFragment {
  let inner = outer;
  for (let at = 0; at < depth; at++) {
    const next = new Y.XmlElement(names[at % names.length] ?? BLOCK);
    inner.insert(inner instanceof Y.XmlElement ? 0 : 2, [next]);
    inner = next;
  }
  return inner;
}

/** A list takes neither undefined nor bigints. */
const storable = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : (value ?? null));

const text = (dice: Dice): Described<unknown> => {
  const words = anyText(dice, 100_000);
  return { value: new Y.XmlText(words.value), about: `a text of ${words.about}` };
};

function writeAttributes(element: Y.XmlElement, dice: Dice): string {
  const about: string[] = [];
  for (let at = dice.below(4); at >= 0; at--) {
    const name = anyAttributeName(dice);
    const value = anyValue(dice);
    setAny(element, name, value.value);
    about.push(`${name} = ${value.about}`);
  }
  return about.join(', ');
}

/** A node as Weft's editor would write it, if it knew the name. */
function wellFormedNode(name: string, words: string, attributes: Readonly<Record<string, unknown>> = {}): Y.XmlElement {
  const content = Object.hasOwn(CONTENT, name) ? CONTENT[name] : 'text';
  if (content === ROW) return tableOf([[wellFormedNode(CELL, words, attributes)]]);
  const children =
    content === CELL ? [wellFormedNode(CELL, words, attributes)] : content === 'text' ? [new Y.XmlText(words)] : [];
  const kind = name === BLOCK ? { kind: 'paragraph' } : {};
  return element(
    name,
    name === CELL || name === ROW ? attributes : { id: `bad-${words.slice(0, 9)}`, ...kind, ...attributes },
    children,
  );
}

const tableOf = (rows: readonly (readonly Y.XmlElement[])[]): Y.XmlElement =>
  element(
    TABLE,
    { id: 'table' },
    rows.map((cells) => element(ROW, {}, cells)),
  );

function element(
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  children: readonly (Y.XmlElement | Y.XmlText)[],
): Y.XmlElement {
  const made = new Y.XmlElement(name);
  for (const [key, value] of Object.entries(attributes)) setAny(made, key, value);
  if (children.length > 0) made.insert(0, [...children]);
  return made;
}

function setAny(element: Y.XmlElement, name: string, value: unknown): void {
  const untyped: { setAttribute(name: string, value: unknown): void } = element;
  untyped.setAttribute(name, value);
}

/** Marked as formulas in a line, with and without their signs, cut by another mark. */
function appendInlineFormulas(doc: Y.Doc, dice: Dice, source: string): void {
  const sign = dice.pick(['$', '$', '$$', '']);
  const characters = `${sign}${source.slice(0, dice.pick([1, 3, 900]))}${sign}`;
  const node = wellFormedNode(BLOCK, '');
  append(doc, node);
  const text = textOf(node);
  text.insert(0, characters.repeat(dice.pick([1, 40, 3_000])).slice(0, 100_000), {
    ...anyMarks(dice).value,
    formula: {},
  });
  text.format(dice.below(text.length), 1, { bold: {} });
}

function insertAny(parent: Y.XmlFragment, at: number, values: readonly unknown[]): void {
  const untyped: { insert(at: number, content: readonly unknown[]): void } = parent;
  untyped.insert(Math.min(at, parent.length), values);
}

const append = (doc: Y.Doc, node: Y.XmlElement): void => bodyOf(doc).insert(2, [node]);

function textOf(node: Y.XmlElement): Y.XmlText {
  const found = node.toArray().find((one) => one instanceof Y.XmlText);
  if (found === undefined) throw new Error('a node without text');
  return found;
}

const show = (words: string): string => (words.length > 60 ? `${words.slice(0, 30)}… (${words.length})` : words);
