// Values that no Weft editor writes, but that any client can store in a page: texts, names, attributes. Chosen by seeded
// numbers.
import { MARKS } from 'weft-document/blocks/block.ts';
import { CONTENT } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';

/** Called by any program that a page manages to run. The test looks whether it was called. */
export const ALARM = 'weftAlarm';

export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = prng(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(all: readonly T[]): T {
    const one = all[this.below(all.length)];
    if (one === undefined && all.length === 0) throw new Error('nothing to choose from');
    // Undefined may be one of the values.
    return one as T;
  }

  some<T>(all: readonly T[], most: number): readonly T[] {
    return Array.from({ length: 1 + this.below(most) }, () => this.pick(all));
  }
}

/** Names of what every JavaScript object inherits. A lookup table that is a plain object has them too. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

const CHARACTERS: Readonly<Record<string, string>> = {
  characters: 'a',
  words: 'two words ',
  lines: 'line\n',
  'line breaks': '\n',
  tabs: '\t',
  'carriage returns': '\r\n',
  'other separators': '\u2028\u2029\u0085\v\f',
  zeros: '\0',
  controls: '\u0001\u001b[31m\u0007\u009b',
  'right-to-left overrides': '\u202eabc\u202d',
  isolates: '\u2066a\u2067b\u2068',
  'combining marks': '\u0301',
  'characters with marks': 'e\u0301\u0302\u0323',
  'joined emoji': '👩‍',
  flags: '🇦🇧',
  'skin tones': '🏽',
  'high halves': '\ud83d',
  'low halves': '\ude00',
  'wrong halves': '\ude00\ud83d',
  hebrew: 'אבג ',
  arabic: 'ﷺ ش',
  devanagari: 'क्ष',
  tibetan: 'ཀྵྨླྀ',
  'wide characters': '䯂',
  'zero width': '\u200b\u200d\ufeff',
  'soft hyphens': 'a\u00ad',
  'private use': '\ue000\u{f0000}',
  'no characters': '\ufffe\uffff',
  html: `<img src=x onerror=${ALARM}()><script>${ALARM}()</script>`,
  entities: '&lt;&#x3c;&',
  markdown: '*a_ `[',
  programs: `javascript:${ALARM}()//`,
  urls: 'https://weft.dev/a ',
  formulas: '\\frac{',
};

const LENGTHS = [0, 1, 7, 7, 40, 40, 300, 300, 3_000, 3_000, 30_000, 100_000, 1_000_000];

/** With its description. */
export type Described<T> = { readonly value: T; readonly about: string };

export function anyText(dice: Dice, longest = 1_000_000): Described<string> {
  const [name, unit] = dice.pick(Object.entries(CHARACTERS));
  const length = Math.min(dice.pick(LENGTHS), longest);
  return { value: unit.repeat(Math.ceil(length / unit.length)).slice(0, length), about: `${length} ${name}` };
}

export const URLS: readonly string[] = [
  `javascript:${ALARM}()`,
  `JaVaScRiPt:${ALARM}()`,
  `java\nscript:${ALARM}()`,
  `\u0001javascript:${ALARM}()`,
  `data:text/html,<script>opener.${ALARM}()</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${ALARM}()"/>`,
  `vbscript:${ALARM}()`,
  'blob:https://weft.dev/1',
  'file:///etc/passwd',
  'filesystem:https://weft.dev/a',
  '//weft.dev:99999/',
  'https://%',
  'https://[::1',
  'http://a b',
  'https://user:word@weft.dev/',
  `https://weft.dev/${'%'.repeat(1_900)}`,
  `https://weft.dev/${'a'.repeat(100_000)}`,
  'https://\u202ewef',
  '../../../auth/v1/logout',
  '#',
  '?',
  ':',
];

/** A value of JSON, or one that Yjs can store besides. */
export function anyPlainValue(dice: Dice): Described<unknown> {
  const text = anyText(dice, 100_000);
  return dice.pick<() => Described<unknown>>([
    () => text,
    () => text,
    () => literally(dice.pick([null, undefined, true, false])),
    () =>
      literally(
        dice.pick([NaN, Infinity, -Infinity, -0, 0, 0.1, -1, 1, 2, 3, 8, 9, 1e9, 1e21, 1e308, 2 ** 53, -(2 ** 53)]),
      ),
    () => literally(dice.pick([1n, -1n, 2n ** 62n])),
    () => literally(dice.pick(INHERITED)),
    () => ({ value: dice.pick(URLS), about: 'a URL' }),
    () => ({ value: new Uint8Array(dice.pick([0, 3, 100_000])), about: 'bytes' }),
    () => ({ value: [], about: 'an empty list' }),
    () => ({ value: {}, about: 'an empty object' }),
    () => ({ value: nested(dice.pick([3, 60, 63, 70, 3_000])), about: 'lists in lists' }),
    () => ({ value: Array.from({ length: 50_000 }, (_, at) => at), about: 'a list of 50,000' }),
    () => ({
      value: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at])),
      about: 'an object of 20,000',
    }),
    () => ({ value: JSON.parse('{"__proto__":{"id":"x","kind":"code"}}') as unknown, about: 'an own __proto__' }),
    () => ({ value: { toString: 1, valueOf: null, toJSON: 'x' }, about: 'an object that has no text' }),
    () => ({ value: { length: 1e9, nodeType: 1 }, about: 'an object that looks like a list' }),
  ])();
}

const literally = (value: unknown): Described<unknown> => ({
  value,
  about: String(value) + (typeof value === 'bigint' ? 'n' : ''),
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = [value];
  return value;
}

/** A shared type, or a document, where a value is expected. */
export function anySharedType(dice: Dice): Described<unknown> {
  return dice.pick<() => Described<unknown>>([
    () => ({
      value: new Y.Map([
        ['id', 'x'],
        ['map', new Y.Map([['in', 1]])],
      ]),
      about: 'a Y.Map',
    }),
    () => ({ value: Y.Array.from([1, 'two', null]), about: 'a Y.Array' }),
    () => ({ value: new Y.Text('shared text'), about: 'a Y.Text' }),
    () => ({ value: new Y.XmlText('shared text'), about: 'a Y.XmlText' }),
    () => ({ value: new Y.XmlElement(anyNodeName(dice).value), about: 'a Y.XmlElement' }),
    () => ({ value: new Y.XmlFragment(), about: 'a Y.XmlFragment' }),
    () => ({ value: new Y.XmlHook('hook'), about: 'a Y.XmlHook' }),
    () => ({ value: new Y.Doc({ guid: 'inner', autoLoad: true, meta: { a: 1 } }), about: 'a Y.Doc' }),
  ])();
}

export const anyValue = (dice: Dice): Described<unknown> =>
  dice.chance(0.2) ? anySharedType(dice) : anyPlainValue(dice);

const NODE_NAMES = Object.keys(CONTENT);

export function anyNodeName(dice: Dice): Described<string> {
  const name = dice.pick([
    ...NODE_NAMES,
    ...NODE_NAMES,
    ...INHERITED,
    ...['unknown', 'doc', 'text', 'hologram', 'script', 'iframe', 'BLOCK', '', ' ', 'a b', '<b>', 'block\0', '💥'],
    'long'.repeat(2_500),
  ]);
  return { value: name, about: name.length > 40 ? 'a long name' : name };
}

const ATTRIBUTES: readonly string[] = [
  ...[
    'id',
    'kind',
    'level',
    'indent',
    'checked',
    'language',
    'tone',
    'file',
    'name',
    'width',
    'height',
    'size',
    'bytes',
  ],
  ...[
    'mime',
    'headRow',
    'headColumn',
    'moved',
    'url',
    'title',
    'colspan',
    'rowspan',
    'style',
    'class',
    'onclick',
    'src',
    '',
  ],
  ...INHERITED,
];

export const anyAttributeName = (dice: Dice): string => dice.pick(ATTRIBUTES);

/** Marks of a text, as a Yjs delta stores them. A text can only store JSON there. */
export function anyMarks(dice: Dice): Described<Record<string, unknown>> {
  const names = dice.some(
    [
      ...MARKS,
      ...MARKS,
      ...MARKS,
      ...INHERITED,
      'bold--abcdefgh',
      'link--AAAAAAAA',
      'glow',
      'a b',
      'text',
      '',
      'x'.repeat(1_000),
    ],
    4,
  );
  const marks: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of names) {
    marks[name] = dice.pick<() => unknown>([
      () => ({}),
      () => ({ href: dice.pick(URLS) }),
      () => ({ user: anyText(dice, 3_000).value, day: '2026-02-31', href: 'https://weft.dev' }),
      () => ({ day: anyText(dice, 300).value }),
      () => jsonOnly(anyPlainValue(dice).value),
    ])();
  }
  return { value: marks, about: `marks ${names.map((name) => name.slice(0, 20)).join('+')}` };
}

const jsonOnly = (value: unknown): unknown =>
  typeof value === 'bigint' || value instanceof Uint8Array || value === undefined ? true : value;
