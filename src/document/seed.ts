// The content of a new page: constant updates that the database stores as seq 1. The editor never seeds a page (T9 in
// docs/losses.md). A migration contains these bytes and tests/document/seed.test.ts pins them, so a change here changes
// the stored format.
import { SEED_CLIENT_ID } from 'weft-sync/protocol/ids.ts';
import * as Y from 'yjs';
import type { Bytes } from '../lib/bytes.ts';
import { BLOCK, DIVIDER, bodyOf, titleOf } from './names.ts';
import { type AttributeValue, setAttribute } from './set-attribute.ts';

type Words = readonly (string | { readonly text: string; readonly marks: Readonly<Record<string, object>> })[];
type SeedBlock = { readonly attributes: Readonly<Record<string, AttributeValue>>; readonly words: Words };

const bold = (text: string) => ({ text, marks: { bold: {} } });
const italic = (text: string) => ({ text, marks: { italic: {} } });
const code = (text: string) => ({ text, marks: { code: {} } });

const block = (attributes: SeedBlock['attributes'], ...words: Words): SeedBlock => ({ attributes, words });
const paragraph = (...words: Words) => block({ kind: 'paragraph' }, ...words);
const heading = (...words: Words) => block({ kind: 'heading', level: 2 }, ...words);
const bullet = (...words: Words) => block({ kind: 'bullet' }, ...words);
const task = (...words: Words) => block({ kind: 'task' }, ...words);
const callout = (tone: string, ...words: Words) => block({ kind: 'callout', tone }, ...words);

const WELCOME: readonly (SeedBlock | 'divider')[] = [
  paragraph('Learn Weft by editing this page. It is yours: tick, type, and delete what you have read.'),
  heading('Try these first'),
  task('Tick this box. ', code('Ctrl Enter'), ' does it from the keyboard.'),
  task('Give the page a better title: click the large line at the top and type.'),
  task(
    'Start an empty line with ',
    code('#'),
    ' and a space for a heading, ',
    code('-'),
    ' for a bullet, ',
    // A space that does not break: both brackets are on one line.
    code('[\u00a0]'),
    ' for a task.',
  ),
  task('Select a few words. A small bar offers ', bold('bold'), ', ', italic('italic'), ', a link and more.'),
  heading('The receipt'),
  paragraph(
    'The receipt sits beside the page name. ',
    bold('Saved'),
    ' means that every edit is on the server. ',
    bold('Sending'),
    ' means that edits are on their way. ',
    bold('On this device'),
    ' means that the server cannot be reached: keep writing, and your edits are sent as soon as it answers.',
  ),
  callout('tip', 'Try it: switch your network off, write a line, reload. The line is still here.'),
  heading('Write together'),
  bullet(
    'Press ',
    bold('Share'),
    ' and create an edit link. Whoever opens it can write in the same paragraph as you, at the same time.',
  ),
  bullet('Their carets carry their names. The square tags at the top say who is here.'),
  bullet('Undo takes back your own edits and never those of others.'),
  heading('Let others watch'),
  paragraph(
    'A watch link shows this page live to anyone who has it, without an account. They cannot change it. Revoke the link, and it stops at once, in open tabs too.',
  ),
  heading('Keys worth knowing'),
  bullet(code('Ctrl B'), '  ', code('Ctrl I'), '  ', code('Ctrl U'), '  bold, italic, underline'),
  bullet(code('Ctrl K'), '  makes a link of the selected words'),
  bullet(code('Ctrl Alt 1'), ' to ', code('3'), '  make a heading'),
  bullet(code('Tab'), '  ', code('Shift Tab'), '  move a line in and out'),
  paragraph('On a Mac, read ⌘ for Ctrl.'),
  'divider',
  paragraph('Done reading? Select everything, delete it, and write your own first page here.'),
];

/** One empty paragraph. Constant: Yjs V1, client id 1. */
export const blankSeed = (): Bytes => seed('', [paragraph()], 'blank');

/** The first page of a new workspace. Constant: Yjs V1, client id 1. */
export const welcomeSeed = (): Bytes => seed('Welcome to Weft', WELCOME, 'welcome');

function seed(title: string, blocks: readonly (SeedBlock | 'divider')[], idPrefix: string): Bytes {
  const doc = new Y.Doc();
  doc.clientID = SEED_CLIENT_ID;
  doc.transact(() => {
    if (title !== '') titleOf(doc).insert(0, title);
    const elements = blocks.map((one, at) => element(one, `${idPrefix}-${at + 1}`));
    bodyOf(doc).insert(0, elements);
  });
  const update = new Uint8Array(Y.encodeStateAsUpdate(doc));
  doc.destroy();
  return update;
}

function element(one: SeedBlock | 'divider', id: string): Y.XmlElement {
  const created = new Y.XmlElement(one === 'divider' ? DIVIDER : BLOCK);
  setAttribute(created, 'id', id);
  if (one === 'divider') return created;
  for (const [name, value] of Object.entries(one.attributes)) setAttribute(created, name, value);
  // An empty block contains a text too. Two people who start typing in it at once then share that text instead of
  // creating two.
  const text = new Y.XmlText();
  text.applyDelta(
    one.words.map((word) =>
      typeof word === 'string' ? { insert: word } : { insert: word.text, attributes: word.marks },
    ),
  );
  created.insert(0, [text]);
  return created;
}
