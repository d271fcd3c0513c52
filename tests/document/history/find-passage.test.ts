// The letters of a log that are erased with a passage: no state that the page ever had may contain it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { elementsOfBlocks, fillPage } from '../../../src/document/body/fill-page.ts';
import { plainRun, textBlock } from '../../../src/document/blocks/detached-block.ts';
import type { FoundPassage } from '../../../src/document/history/find-passage.ts';
import type { LetterRanges } from '../../../src/document/history/letter-set.ts';
import { bodyOf } from '../../../src/document/names.ts';
import type { Row } from '../../../src/protocol/row.ts';
import { placesIn } from '../../../src/sync/log/erased-rows.ts';
import { chosenIn, passageIn, textAt, visibleLetters } from '../../support/editor/erased-letters.ts';
import { Writer } from '../../support/editor/random-log.ts';

const SIGN = 42;

function pageOf(...lines: readonly string[]) {
  const rows: Row[] = [];
  const writer = new Writer(0);
  fillPage(writer.doc, 'Plan', elementsOfBlocks(lines.map((line) => textBlock({}, [plainRun(line)]))));
  writer.send(rows);
  const text = (at: number) => textAt(writer.doc, at);
  const send = () => writer.send(rows);
  const change = (sends: boolean, run: (body: Y.XmlFragment) => void) => {
    writer.doc.transact(() => run(bodyOf(writer.doc)));
    if (sends) send();
  };
  const edit = (run: (body: Y.XmlFragment) => void) => change(true, run);
  const find = (words: string, block = 0) => passageIn(rows, chosenIn(writer.doc, words, block));
  return { doc: writer.doc, rows, text, change, edit, send, find };
}

/** The rows with their letters overwritten: those of ASCII, in place. */
const erased = (rows: readonly Row[], letters: LetterRanges): readonly Row[] => {
  const bySeq = new Map(placesIn(rows, letters).map((places) => [places.seq, places]));
  return rows.map((row) => {
    const update = row.update.slice();
    for (const [start, , first, last] of bySeq.get(row.seq)?.update ?? [])
      update.fill(SIGN, start + first, start + last);
    return { ...row, update };
  });
};

/** The text of each block after each row. */
function* states(rows: readonly Row[]): Generator<readonly string[]> {
  const doc = new Y.Doc();
  for (const { update } of rows) {
    Y.applyUpdate(doc, update);
    yield Array.from({ length: bodyOf(doc).length }, (_, at) => plainIn(textAt(doc, at)));
  }
}

const statesWithout = (rows: readonly Row[], { withCopies }: FoundPassage) =>
  Array.from(states(erased(rows, withCopies)), (lines) => lines.join(' | '));

const plainIn = (text: Y.XmlText): string =>
  visibleLetters(text)
    .map(({ letter }) => letter)
    .join('');

const copyOf = (block: Y.XmlElement | Y.XmlText | Y.XmlHook): Y.XmlElement => {
  const copy = block.clone();
  if (!(copy instanceof Y.XmlElement)) throw new Error('no block');
  return copy;
};

const blockOf = (line: string): Y.XmlElement => {
  const [block] = elementsOfBlocks([textBlock({}, [plainRun(line)])]);
  if (block === undefined) throw new Error('no block');
  return block;
};

describe('a passage', () => {
  test('is found where Enter cut it and Backspace joined it', () => {
    const { rows, text, edit, find } = pageOf('My password is hunter2secret ok');
    const end = 'secret ok';
    edit((body) => {
      text(0).delete(text(0).length - end.length, end.length);
      body.insert(1, [blockOf(end)]);
    });
    edit((body) => {
      body.delete(1, 1);
      text(0).insert(text(0).length, end);
    });
    const found = find('hunter2secret');
    expect(statesWithout(rows, found)).toEqual([
      'My password is ************* ok',
      'My password is ******* | ****** ok',
      'My password is ************* ok',
    ]);
    expect(found.copies).toBe(0);
    // The moved letters belong to the passage itself.
    expect(found.letters).toEqual(found.withCopies);
  });

  test('is found where a typing mistake was mended in it, and where that was deleted', () => {
    const { rows, text, edit, find } = pageOf('', 'hunter2');
    edit(() => text(0).insert(0, 'hunXter2'));
    edit(() => text(0).delete(3, 1));
    edit(() => text(0).delete(0, 7));
    expect(statesWithout(rows, find('hunter2', 1))).toEqual([
      ' | *******',
      '***X**** | *******',
      '******* | *******',
      ' | *******',
    ]);
  });

  test('is found where Enter moved three letters of it', () => {
    const { rows, text, edit, find } = pageOf('a hunter2secret');
    edit((body) => {
      text(0).delete(12, 3);
      body.insert(1, [blockOf('ret')]);
    });
    edit((body) => {
      body.delete(1, 1);
      text(0).insert(12, 'ret');
    });
    expect(statesWithout(rows, find('hunter2secret'))).toEqual([
      'a *************',
      'a ********** | ***',
      'a *************',
    ]);
  });

  test('is found where an offline row put a part of it between other words', () => {
    const { rows, text, edit, find } = pageOf('hunter2secret ok');
    edit((body) => {
      text(0).delete(7, 9);
      body.insert(1, [blockOf('Then: secret!')]);
    });
    edit((body) => {
      body.delete(1, 1);
      text(0).insert(7, 'secret');
    });
    expect(statesWithout(rows, find('hunter2secret'))).toEqual([
      '************* ok',
      '******* | Then: ******!',
      '*************',
    ]);
  });

  test('is found where somebody pasted a large part of it from a text that changed meanwhile', () => {
    const { rows, text, edit, find } = pageOf('so: hunter2secret-window', '');
    edit(() => text(0).insert(1, 'X'));
    edit(() => text(1).insert(0, 'so: hunter2secret'));
    expect(statesWithout(rows, find('hunter2secret-window')).at(-1)).toBe(
      'sXo: ******************** | so: *************',
    );
  });

  test('is found in each block of a selection by itself', () => {
    const { doc, rows, edit } = pageOf('first secret', 'second secret', 'x');
    edit((body) => {
      const copy = copyOf(body.get(0));
      body.delete(0, 1);
      body.insert(2, [copy]);
    });
    const found = passageIn(rows, [...chosenIn(doc, 'second secret', 0), ...chosenIn(doc, 'first secret', 2)]);
    expect(statesWithout(rows, found)).toEqual([
      '************ | ************* | x',
      '************* | x | ************',
    ]);
  });

  test('is found where an hour of offline work moved it and wrote around it in one row', () => {
    const { rows, text, edit, find } = pageOf('The key: orange-41-window', 'Rest');
    edit((body) => {
      text(0).delete(5, 20);
      body.insert(2, [blockOf('He says orange-41-window, I think.')]);
    });
    expect(statesWithout(rows, find('orange-41-window', 2))).toEqual([
      'The key: **************** | Rest',
      'The k | Rest | He says ****************, I think.',
    ]);
  });

  test('that is long is not found in what an offline row says in its own words', () => {
    const passage = 'everybody who wants to come to the harbour with the boat';
    const { rows, edit, find } = pageOf(passage, 'Rest');
    edit((body) => {
      body.delete(0, 1);
      body.insert(1, [blockOf(`${passage}. `)]);
      body.insert(2, [blockOf('Nobody wants to go with the bus')]);
    });
    expect(statesWithout(rows, find(passage, 1)).at(-1)).toBe(
      `Rest | ${'*'.repeat(passage.length)}.  | Nobody wants to go with the bus`,
    );
  });

  test('of nothing but stars and lines is erased only where it was chosen', () => {
    const { find } = pageOf('*******', '*******');
    const { copies, words } = find('*******');
    expect([copies, words]).toEqual([0, []]);
  });

  test('is not found inside of longer words, nor on the way to them', () => {
    const { rows, text, edit, find } = pageOf('test', 'the latest protest attests', '', 'a test, test2 and (test)');
    for (const letters of ['te', 'st', 'ing']) edit(() => text(2).insert(text(2).length, letters));
    const found = find('test');
    expect(statesWithout(rows, found).at(-1)).toBe(
      '**** | the latest protest attests | testing | a ****, test2 and (****)',
    );
    expect(found.copies).toBe(2);
  });

  test('in a script without spaces is found inside of a line', () => {
    const { find } = pageOf('秘密の言葉', 'それは秘密の言葉です');
    expect(find('秘密の言葉').copies).toBe(1);
  });

  test('of three letters is erased only where it was chosen', () => {
    const { rows, find } = pageOf('Bob', 'Bob');
    const found = find('Bob');
    expect([found.copies, statesWithout(rows, found)]).toEqual([0, ['*** | Bob']]);
  });

  test('leaves its copies if only it was chosen, but nothing of where it stood itself', () => {
    const { rows, edit, find } = pageOf('hunter2', 'hunter2 again', 'x');
    edit((body) => {
      const copy = copyOf(body.get(0));
      body.delete(0, 1);
      body.insert(2, [copy]);
    });
    const { letters, copies } = find('hunter2', 2);
    expect(copies).toBe(1);
    expect(Array.from(states(erased(rows, letters)), (lines) => lines.join(' | '))).toEqual([
      '******* | hunter2 again | x',
      'hunter2 again | x | *******',
    ]);
  });

  test('with 40,000 copies on one line is found in less than a second', () => {
    const { rows, doc } = pageOf('abcdefgh', 'abcdefgh '.repeat(40_000));
    const chosen = chosenIn(doc, 'abcdefgh');
    const start = process.threadCpuUsage();
    const { copies, withCopies } = passageIn(rows, chosen);
    const places = placesIn(rows, withCopies);
    const { user } = process.threadCpuUsage(start);
    expect([copies, places[0]?.update.length]).toEqual([40_000, 40_001]);
    // The time of this thread, in microseconds: the machine has other work. It takes about 0.2 s.
    expect(user).toBeLessThan(1_000_000);
  });
});

describe('whatever people did with a passage', () => {
  const PASSAGE = 'ABCDEFGHIJKLMNOPQRSTUVWX';
  const anyEdit = (kinds: number) =>
    fc.record({
      what: fc.nat(kinds),
      sends: fc.boolean(),
      block: fc.nat(),
      at: fc.nat(),
      length: fc.nat(),
      text: fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), minLength: 1, maxLength: 3 }),
    });

  const longestRun = (line: string): string => {
    let longest = '';
    for (let from = 0; from < PASSAGE.length; from++)
      while (line.includes(PASSAGE.slice(from, from + longest.length + 1)) && from + longest.length < PASSAGE.length)
        longest = PASSAGE.slice(from, from + longest.length + 1);
    return longest;
  };

  /** Somebody types, deletes, splits, joins and moves blocks, and from kind 6 on copies, cuts and pastes. */
  test.each([
    ['six letters of it, if each edit is a row', 5, 6, false],
    ['twelve letters of it, whatever is in one row and pasted in later ones', 8, 12, true],
  ])('no state of the page says %s, after it is erased', (_title, kinds, run, areMerged) => {
    let told = 0;
    fc.assert(
      fc.property(fc.array(anyEdit(kinds), { maxLength: 30 }), (edits) => {
        const { doc, rows, text, change, send } = pageOf(`so: ${PASSAGE} ok`, 'other', '');
        let cut = '';
        for (const one of edits) {
          change(one.sends || !areMerged, (body) => {
            const index = one.block % body.length;
            const line = text(index);
            const at = one.at % (line.length + 1);
            const count = 1 + (one.length % Math.max(1, line.length - at));
            const plain = plainIn(line);
            const part = plain.slice(at, at + Math.max(12, count));
            if (one.what <= 1) line.insert(at, one.text);
            else if (one.what === 2 && at < line.length) line.delete(at, count);
            else if (one.what === 3) {
              line.delete(at, line.length - at);
              body.insert(index + 1, [blockOf(plain.slice(at))]);
            } else if (one.what === 4 && index > 0) {
              body.delete(index, 1);
              text(index - 1).insert(text(index - 1).length, plain);
            } else if (one.what === 5) {
              const copy = copyOf(body.get(index));
              body.delete(index, 1);
              body.insert(one.at % (body.length + 1), [copy]);
            } else if (one.what === 6 && part.length >= 12) cut = part;
            else if (one.what === 7 && part.length >= 12) {
              cut = part;
              line.delete(at, cut.length);
            } else if (one.what === 8 && cut !== '') line.insert(at, cut);
          });
        }
        send();
        const runs = Array.from({ length: bodyOf(doc).length }, (_, at) => longestRun(plainIn(text(at))));
        const block = runs.reduce((best, found, at) => (found.length > (runs[best] ?? '').length ? at : best), 0);
        const words = runs[block] ?? '';
        fc.pre(words.length >= run);
        told += 1;
        const found = passageIn(rows, chosenIn(doc, words, block));
        for (const lines of states(erased(rows, found.withCopies)))
          for (const line of lines)
            for (let from = 0; from + run <= words.length; from++)
              expect(line).not.toContain(words.slice(from, from + run));
      }),
      { numRuns: 300 },
    );
    expect(told).toBeGreaterThan(100);
  });
});
