// Words of two or three characters, cut and pasted among random edits, with a mark on each character that says which one it is. What
// is found must be the characters of the thread, never others that say the same.
import { expect, test } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { prng } from '../../../src/lib/prng.ts';
import { anchorOn, followed } from '../../support/editor/anchored-page.ts';
import { pageSeed } from '../../support/editor/page-seed.ts';

const SEEDS = 60;
const STEPS = 30;
const WORDS = ['NY', 'Q3', 'abc'];

function pageOf(seed: Uint8Array, client: number): Y.Doc {
  const doc = new Y.Doc();
  doc.clientID = client;
  Y.applyUpdate(doc, seed);
  return doc;
}

const textsOf = (doc: Y.Doc): readonly Y.XmlText[] =>
  bodyOf(doc)
    .toArray()
    .map((block) => (block as Y.XmlElement).get(0) as Y.XmlText);

type Character = {
  readonly text: Y.XmlText;
  readonly index: number;
  readonly character: string;
  readonly isOwn: boolean;
};

const charactersOf = (doc: Y.Doc): readonly Character[] =>
  textsOf(doc).flatMap((text) => {
    const pieces: readonly { insert: string; attributes?: { own?: object } }[] = text.toDelta();
    const all = pieces.flatMap(({ insert, attributes }) =>
      Array.from(insert, (character) => ({ character, isOwn: attributes?.own !== undefined })),
    );
    return all.map((one, index) => ({ ...one, text, index }));
  });

test('two or three characters are found only where they were pasted, whatever is written meanwhile', () => {
  let [pastes, found] = [0, 0];
  const wrong: string[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = prng(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const words = WORDS[below(WORDS.length)] ?? '';
    const doc = pageOf(pageSeed(`from ${words} on`, 'abY N3 Qc', 'last'), seed % 2 === 0 ? 101 : 103);
    const [first] = textsOf(doc);
    first?.format('from '.length, words.length, { own: {} });
    const remote = pageOf(Y.encodeStateAsUpdate(doc), 102);
    const tabs = [followed(doc, anchorOn(doc, words)), followed(remote, anchorOn(doc, words))];
    let clipboard = false;
    // Not where they were: there the same characters are the same words, by what is around them.
    const insert = (into: Y.Doc, piece: string, attributes: object = { own: null }) => {
      const text = textsOf(into)[1 + below(2)];
      text?.insert(below(text.length + 1), piece, attributes);
    };
    const edits: readonly (() => void)[] = [
      () => {
        const own = charactersOf(doc).filter(({ isOwn }) => isOwn);
        const [start] = own;
        // Cut once: beside the same word that others wrote, neighbours cannot tell which of the two went.
        if (start === undefined || start.text !== first || own.map(({ character }) => character).join('') !== words)
          return;
        if (own.some(({ text, index }, n) => text !== start.text || index !== start.index + n)) return;
        start.text.delete(start.index, words.length);
        clipboard = true;
      },
      () => {
        if (!clipboard) return;
        insert(doc, words, { own: {} });
        clipboard = false;
        pastes += 1;
        if (tabs[0]?.words() === words) found += 1;
      },
      () => insert(doc, words.charAt(below(words.length))),
      () => {
        for (const character of words) insert(doc, character);
      },
      () => insert(remote, words),
      () => insert(remote, 'xy'.charAt(below(2))),
      () => Y.applyUpdate(doc, Y.encodeStateAsUpdate(remote)),
      () => Y.applyUpdate(remote, Y.encodeStateAsUpdate(doc)),
    ];
    for (let step = 0; step < STEPS; step++) {
      edits[below(edits.length)]?.();
      for (const tab of tabs) {
        const page = tab === tabs[0] ? doc : remote;
        if (tab.words() === '(gone)') continue;
        const at = tab.index.get(tab.id);
        const from = at.at === 'text' ? Y.createAbsolutePositionFromRelativePosition(at.from, page) : null;
        const to = at.at === 'text' ? Y.createAbsolutePositionFromRelativePosition(at.to, page) : null;
        const within = charactersOf(page).filter(
          ({ text, index }) => text === from?.type && index >= from.index && (text !== to?.type || index < to.index),
        );
        if (!within.some(({ isOwn }) => isOwn)) wrong.push(`seed ${seed}, step ${step}: ${tab.words()}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  // Most pastes come after other edits, or while others have written the same.
  expect(found / pastes).toBeGreaterThan(0.04);
});
