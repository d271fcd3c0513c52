// The same keys do the same in every engine. `npm test` presses the keys of `SINGLE_EDITS` in the engines that this machine
// has; `npm run test:browsers` all of them, and asks for all three engines.
import { expect, test } from 'vitest';
import { useServer } from '../support/browser/e2e-fixture.ts';
import { enginesToTest, isWholeSuite } from '../support/browser/engines/find-engines.ts';
import { REPEATED_EDITS, SINGLE_EDITS } from './edits.ts';
import { EnginePerson } from './engine-person.ts';

const edits = isWholeSuite ? [...SINGLE_EDITS, ...REPEATED_EDITS] : SINGLE_EDITS;

const server = useServer();

test.each(enginesToTest().map((engine) => [engine.name, engine] as const))(
  'edits by keys in %s',
  async (_name, engine) => {
    const tab = await engine.open();
    try {
      const person = new EnginePerson(tab);
      await person.start(server().url, 'Alice');
      const done: [string, readonly string[]][] = [];
      for (const [name, keys] of edits) {
        await person.type(keys);
        done.push([name, await person.lines()]);
        // The block’s text, the whole page, then what is left of its kind.
        await person.type('{Control+a}{Control+a}{Control+a}{Backspace}{Backspace}');
        expect(await person.lines(), `the page is empty after: ${name}`).toEqual(['paragraph: ']);
      }
      expect(done).toEqual(edits.map(([name, , lines]) => [name, lines]));
      await person.type('kept');
      await person.waitUntilSaved();
      await person.reload();
      await expect.poll(() => person.lines()).toEqual(['paragraph: kept']);
    } finally {
      await tab.close();
    }
  },
);
