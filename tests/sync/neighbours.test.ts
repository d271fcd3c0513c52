// Tabs of one browser without any network: whatever one of them missed, and however much it is, all show the same.
import { describe, expect, test } from 'vitest';
import { type Person, type Tab, World } from './world.ts';

async function twoOffline(): Promise<{ world: World; person: Person; one: Tab; two: Tab }> {
  const world = new World(1, { frames: true });
  const person = world.person('alice');
  const [one, two] = [await person.opened(), await person.opened()];
  await world.run(100);
  for (const tab of [one, two]) tab.goOffline();
  await world.run(100);
  return { world, person, one, two };
}

describe('tabs of one browser, offline', () => {
  test('[NB1] a tab that was frozen while the other one wrote shows it as soon as it is looked at', async () => {
    const { world, one, two } = await twoOffline();
    two.surroundings.say('hidden');
    two.isDeaf = true;
    one.type('missed');
    await world.run(100);
    two.isDeaf = false;
    expect(two.text).toBe('');
    two.surroundings.say('visible');
    await world.run(100);
    expect(two.text).toBe('missed');
  });

  test('[NB1] one that was frozen unseen shows everything with the next edit of the other one, also what was deleted', async () => {
    const { world, one, two } = await twoOffline();
    one.type('abc');
    await world.run(100);
    two.isDeaf = true;
    // Nothing later needs a deletion: only its number is missing.
    one.delete(1);
    await world.run(100);
    two.isDeaf = false;
    one.type('!');
    await world.run(100);
    expect([one.text, two.text]).toEqual(['ac!', 'ac!']);
  });

  test('[NB1] [TB3] what an edit builds on may be more than a message between tabs takes', async () => {
    const { world, person, one, two } = await twoOffline();
    const three = person.open();
    three.goOffline();
    await world.run(2_000);
    three.isDeaf = true;
    for (let i = 0; i < 12; i++) {
      one.type(String.fromCharCode(97 + i).repeat(200_000));
      await world.run(5);
    }
    await world.run(100);
    expect(two.text.length).toBe(2_400_000);
    two.type('!');
    await world.run(100);
    // With its author, whatever it could have told is gone.
    one.die();
    three.isDeaf = false;
    two.type('?');
    await world.run(100);
    expect([three.text.length, three.text.slice(-2)]).toEqual([2_400_002, '!?']);
  });

  test('[NB1] rows that only one of them heard of in time are read from the device', async () => {
    const world = new World(1, { frames: true });
    const person = world.person('alice');
    const [one, two] = [await person.opened(), await person.opened()];
    const bob = await world.person('bob').opened();
    await world.run(100);
    two.lose = () => true;
    bob.type('from bob');
    await world.run(5_000);
    expect([one.text, two.text]).toEqual(['from bob', '']);
    for (const tab of [one, two]) tab.goOffline();
    await world.run(100);
    expect(two.text).toBe('from bob');
    one.type('!');
    await world.run(100);
    expect([one.text, two.text]).toEqual(['from bob!', 'from bob!']);
    for (const tab of [one, two]) tab.goOnline();
    await world.run(5_000);
    expect([one.view.receipt, two.view.receipt, world.logText]).toEqual(['saved', 'saved', 'from bob!']);
  });

  test('[NB1] asking is answered once: two tabs do not go on asking each other', async () => {
    const { world, one, two } = await twoOffline();
    let heard = 0;
    for (const tab of [one, two]) tab.onTab = () => (heard += 1);
    for (const tab of [one, two]) tab.type('x');
    for (const tab of [one, two]) tab.surroundings.say('visible');
    await world.run(10_000);
    expect(heard).toBeLessThanOrEqual(6);
  });
});
