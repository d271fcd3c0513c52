// Edits by keys alone, each on an empty page, with the lines that the page then has, as `linesOf` writes them. Every engine must
// do the same.

export type Edit = readonly [name: string, keys: string, lines: readonly string[]];

const KINDS: readonly (readonly [kind: string, typed: string])[] = [
  ['paragraph', ''],
  ['heading2', '## '],
  ['bullet', '- '],
  ['numbered', '1. '],
  ['task', '[] '],
  ['quote', '> '],
  ['toggle', '>> '],
  ['code', '``` '],
];

const MARKS: readonly (readonly [mark: string, keys: string])[] = [
  ['bold', '{Control+b}'],
  ['italic', '{Control+i}'],
  ['underline', '{Control+u}'],
  ['strike', '{Control+Shift+x}'],
  ['code', '{Control+e}'],
  ['highlight', '{Control+Shift+h}'],
];

/** Edits that one engine or another did differently, or that its own code decides. */
export const SINGLE_EDITS: readonly Edit[] = [
  [
    'a link keeps its address while characters are typed beside it',
    'a [word](https://x.example) b{Home}{ArrowRight}x{End}y',
    ['paragraph: ax <link:word> by'],
  ],
  ['a word is deleted backwards', 'one two three{Control+Backspace}', ['paragraph: one two ']],
  ['a word is deleted forwards', 'one two three{Home}{Control+Delete}', ['paragraph:  two three']],
  ['Backspace takes a family emoji whole', 'a👩‍👩‍👧‍👦{Backspace}', ['paragraph: a']],
  ['Backspace takes a flag whole', 'a🇨🇭{Backspace}', ['paragraph: a']],
  ['Delete takes a character with its accent whole', 'e\u0301x{Home}{Delete}', ['paragraph: x']],
  ['ArrowLeft passes a family emoji whole', 'a👩‍👩‍👧‍👦{ArrowLeft}b', ['paragraph: ab👩‍👩‍👧‍👦']],
  ['a selection over two blocks is replaced', 'one{Enter}two{Shift+ArrowUp}x', ['paragraph: x']],
  ['undo and redo', 'one{Enter}two{Control+z}{Control+y}', ['paragraph: one', 'paragraph: two']],
  ['the whole page is replaced', 'one{Enter}two{Control+a}{Control+a}x', ['paragraph: x']],
  ['Home and End in a long line', 'one two three{Home}a{End}b', ['paragraph: aone two threeb']],
  [
    'ArrowDown from above enters a code block at its first line',
    'a long line{Enter}``` one{Enter}two{ArrowUp}{ArrowUp}{End}{ArrowDown}x',
    ['paragraph: a long line', 'code: onex\ntwo'],
  ],
  [
    'ArrowDown from above enters a table at its first cell',
    'a long line{Enter}/table{Enter}{ArrowUp}{End}{ArrowDown}x',
    ['paragraph: a long line', 'table: x |  |  |  |  |  |  |  | ', 'paragraph: '],
  ],
  ['a table is filled by Tab', '/table{Enter}a{Tab}b{Tab}c', ['table: a | b | c |  |  |  |  |  | ', 'paragraph: ']],
  ['a block is moved up', 'one{Enter}two{Alt+Shift+ArrowUp}x', ['paragraph: twox', 'paragraph: one']],
  [
    'a block is indented and outdented',
    '- one{Enter}two{Tab}{Enter}three{Shift+Tab}',
    ['bullet: one', 'bullet>1: two', 'bullet: three'],
  ],
  ['a block is duplicated', 'one{Control+d}x', ['paragraph: one', 'paragraph: x']],
  ['an empty item leaves the list', '- one{Enter}{Enter}two', ['bullet: one', 'paragraph: two']],
  ['spaces stay', 'a  b   c', ['paragraph: a  b   c']],
  ['a dash and quotes become typographic', 'a -- "b" \'c\'...', ['paragraph: a – “b” ‘c’…']],
  ['stars make bold', 'a **b** c', ['paragraph: a <bold:b> c']],
  ['backticks make code', 'a `b` c', ['paragraph: a <code:b> c']],
  ['dollar signs make a formula in the line', 'a $x^2$ b', ['paragraph: a <formula:$x^2$> b']],
  ['Backspace right after gives its characters back', 'a $x^2${Backspace}!', ['paragraph: a $x^2$!']],
  [
    'ArrowLeft goes into the source of a formula, Enter out of it',
    'a $x$b{ArrowLeft}{ArrowLeft}y{Enter}c',
    ['paragraph: a <formula:$xy$>cb'],
  ],
  [
    'Backspace behind a formula takes its sign',
    'a $x$b{ArrowLeft}{Backspace}{ArrowLeft}{Delete}',
    ['paragraph: a <formula:$>b'],
  ],
  ['a divider by dashes', 'a{Enter}---{Enter}b', ['paragraph: a', 'divider: ', 'paragraph: ', 'paragraph: b']],
  ['cut and paste', 'one two{Control+Shift+ArrowLeft}{Control+x}{Home}{Control+v}', ['paragraph: twoone ']],
  [
    'copy and paste of a block',
    'one{Control+a}{Control+c}{End}{Enter}{Control+v}',
    ['paragraph: one', 'paragraph: one'],
  ],
];

/** The same edits in each kind of block and with each mark. */
export const REPEATED_EDITS: readonly Edit[] = [
  ...KINDS.flatMap(([kind, typed]): readonly Edit[] => [
    [`a ${kind} is split by Enter`, `${typed}onetwo{ArrowLeft}{ArrowLeft}{ArrowLeft}{Enter}`, splitIn(kind)],
    [`a ${kind} takes a line break by Shift+Enter`, `${typed}one{Shift+Enter}two`, [`${kind}: one\ntwo`]],
    [
      `Backspace at the start of a ${kind}`,
      `first{Enter}${typed}two{Home}{Backspace}`,
      kind === 'paragraph' ? ['paragraph: firsttwo'] : ['paragraph: first', 'paragraph: two'],
    ],
    [
      `Backspace twice at the start of a ${kind}`,
      `first{Enter}${typed}two{Home}{Backspace}{Backspace}`,
      [kind === 'paragraph' ? 'paragraph: firstwo' : 'paragraph: firsttwo'],
    ],
    [`Delete at the end of a ${kind}`, `last{Home}{Enter}{ArrowUp}${typed}one{Delete}`, [`${kind}: onelast`]],
  ]),
  ...MARKS.flatMap(([mark, keys]): readonly Edit[] => [
    [`words typed as ${mark}`, `a ${keys}word${keys} b`, [`paragraph: a <${mark}:word> b`]],
    [
      `characters beside ${mark}`,
      `a ${keys}word${keys} b{Home}{ArrowRight}x{End}{ArrowLeft}y`,
      [`paragraph: ax <${mark}:word> yb`],
    ],
    [`the last character of ${mark} is deleted`, `a ${keys}word${keys}{Backspace}!`, [`paragraph: a <${mark}:wor!>`]],
    [`a selected word becomes ${mark}`, `a word{Control+Shift+ArrowLeft}${keys}`, [`paragraph: a <${mark}:word>`]],
  ]),
];

function splitIn(kind: string): readonly string[] {
  if (kind === 'code') return ['code: one\ntwo'];
  return [`${kind}: one`, `${kind === 'toggle' ? 'paragraph>1' : kind}: two`];
}
