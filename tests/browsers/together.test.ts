// Two people whose browsers have different engines write in one paragraph, lose the server, and read the page again; a watcher
// in the second engine follows.
import { afterEach, expect, test } from 'vitest';
import type { Engine, EngineTab } from '../support/browser/engines/engine-tab.ts';
import { enginesToTest, findEngines } from '../support/browser/engines/find-engines.ts';
import { LOWER, UPPER, lettersOf, only } from '../support/editor/letters.ts';
import { WeftServer } from '../support/server/weft-server.ts';
import { EnginePerson } from './engine-person.ts';

const LETTERS = 40;

const [chromium] = findEngines();
const tabs: EngineTab[] = [];

afterEach(async () => {
  await Promise.all(tabs.splice(0).map((tab) => tab.close()));
  await WeftServer.stopAll();
});

async function personIn(engine: Engine | undefined): Promise<EnginePerson> {
  if (engine === undefined) throw new Error('no engine');
  const tab = await engine.open();
  tabs.push(tab);
  return new EnginePerson(tab);
}

test.each(enginesToTest().map((engine) => [engine.name, engine] as const))(
  'Chromium and %s: two people in one paragraph, without the server for a while, and a watcher',
  async (_name, engine) => {
    const server = await WeftServer.start();
    const { port, folder, url } = server;
    const [alice, bob, watcher] = await Promise.all([personIn(chromium), personIn(engine), personIn(engine)]);
    await alice.start(url, 'Alice');
    const editLink = await alice.createLink('edit');
    const watchLink = await alice.createLink('watch');
    await bob.signUp(url, 'Bob');
    await bob.tab.goto(editLink);
    await bob.waitUntilSaved();
    await watcher.tab.goto(watchLink);

    const [ours, theirs] = [lettersOf(UPPER, LETTERS), lettersOf(LOWER, LETTERS)];
    const write = async (from: number, to: number) => {
      await Promise.all([alice.clickBlock(0), bob.clickBlock(0)]);
      await Promise.all([alice.type(`{End}${ours.slice(from, to)}`), bob.type(`{End}${theirs.slice(from, to)}`)]);
    };
    const both = async () => [(await alice.lines()).join('\n'), (await bob.lines()).join('\n')];
    const expectSame = async (letters: number) => {
      // “paragraph: ” stands before the letters.
      await expect.poll(async () => (await both()).map((text) => text.length)).toEqual([11 + letters, 11 + letters]);
      const [hers, his] = await both();
      expect(his).toBe(hers);
      await expect.poll(() => watcher.lines('Watched page')).toEqual([hers]);
    };
    await write(0, 20);
    await expectSame(40);

    await server.kill();
    await write(20, LETTERS);
    await WeftServer.start({ port, folder });
    await expectSame(80);
    await Promise.all([alice.waitUntilSaved(), bob.waitUntilSaved()]);
    await Promise.all([alice, bob].map((person) => person.reload()));
    await Promise.all([alice.waitUntilSaved(), bob.waitUntilSaved()]);
    await expectSame(80);
    const [text = ''] = await both();
    expect(only(text.slice(11), UPPER)).toBe(ours);
    expect(only(text.slice(11), LOWER)).toBe(theirs);
  },
);
