// Tabs of one browser without any network: whatever one of them missed, and however much it is, all show the same.
import { describe, expect, test } from 'vitest';
import { type TestUser, type TestTab, SyncHarness } from '../sync-harness.ts';

async function twoOffline(): Promise<{ harness: SyncHarness; user: TestUser; one: TestTab; two: TestTab }> {
  const harness = new SyncHarness(1, { liveUpdates: true });
  const user = harness.user('alice');
  const [one, two] = [await user.opened(), await user.opened()];
  await harness.run(100);
  for (const tab of [one, two]) tab.goOffline();
  await harness.run(100);
  return { harness, user, one, two };
}

describe('tabs of one browser, offline', () => {
  test('[NB1] a tab that was frozen while another one wrote shows it as soon as it becomes visible', async () => {
    const { harness, one, two } = await twoOffline();
    two.environment.set('hidden');
    two.isFrozenForTabs = true;
    one.type('missed');
    await harness.run(100);
    two.isFrozenForTabs = false;
    expect(two.text).toBe('');
    two.environment.set('visible');
    await harness.run(100);
    expect(two.text).toBe('missed');
  });

  test('[NB1] a tab that was frozen unseen shows everything with the next edit of the other one, deletions included', async () => {
    const { harness, one, two } = await twoOffline();
    one.type('abc');
    await harness.run(100);
    two.isFrozenForTabs = true;
    // Nothing later needs a deletion, so only its number is missing.
    one.delete(1);
    await harness.run(100);
    two.isFrozenForTabs = false;
    one.type('!');
    await harness.run(100);
    expect([one.text, two.text]).toEqual(['ac!', 'ac!']);
  });

  test('[NB1] [TB3] the dependencies of an edit may be larger than a message between tabs', async () => {
    const { harness, user, one, two } = await twoOffline();
    const three = user.open();
    three.goOffline();
    await harness.run(2_000);
    three.isFrozenForTabs = true;
    for (let i = 0; i < 12; i++) {
      one.type(String.fromCharCode(97 + i).repeat(200_000));
      await harness.run(5);
    }
    await harness.run(100);
    expect(two.text.length).toBe(2_400_000);
    two.type('!');
    await harness.run(100);
    // From now on no one can post the first tab's edits as their author.
    one.die();
    three.isFrozenForTabs = false;
    two.type('?');
    await harness.run(100);
    expect([three.text.length, three.text.slice(-2)]).toEqual([2_400_002, '!?']);
  });

  test('[NB1] rows that only one of them received in time are read from the device', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const user = harness.user('alice');
    const [one, two] = [await user.opened(), await user.opened()];
    const bob = await harness.user('bob').opened();
    await harness.run(100);
    two.lose = () => true;
    bob.type('from bob');
    await harness.run(5_000);
    expect([one.text, two.text]).toEqual(['from bob', '']);
    for (const tab of [one, two]) tab.goOffline();
    await harness.run(100);
    expect(two.text).toBe('from bob');
    one.type('!');
    await harness.run(100);
    expect([one.text, two.text]).toEqual(['from bob!', 'from bob!']);
    for (const tab of [one, two]) tab.goOnline();
    await harness.run(5_000);
    expect([one.view.receipt, two.view.receipt, harness.logText]).toEqual(['saved', 'saved', 'from bob!']);
  });

  test('[NB1] a question is answered once: two tabs do not keep asking each other', async () => {
    const { harness, one, two } = await twoOffline();
    let received = 0;
    for (const tab of [one, two]) tab.onTab = () => (received += 1);
    for (const tab of [one, two]) tab.type('x');
    for (const tab of [one, two]) tab.environment.set('visible');
    await harness.run(10_000);
    expect(received).toBeLessThanOrEqual(6);
  });
});

describe('the receipt for edits of another tab', () => {
  test('[I5] says "on this device" while they are nowhere else, and "saved" once they are', async () => {
    const { harness, one, two } = await twoOffline();
    one.type('ab');
    await harness.run(50);
    one.type('c');
    await harness.run(50);
    expect([two.text, two.view.receipt]).toEqual(['abc', 'device']);
    expect([two.view.unsent.edits, two.view.lastN]).toEqual([2, 0]);
    expect(two.session.unsentFile()).toEqual(one.session.unsentFile());
    two.type('!');
    await harness.run(50);
    expect([one.view.unsent.edits, two.view.unsent.edits]).toEqual([3, 3]);
    one.goOnline();
    await harness.run(10_000);
    expect([one.view.receipt, two.view.receipt, harness.logText]).toEqual(['saved', 'device', 'abc!']);
    two.goOnline();
    await harness.run(5_000);
    expect([two.view.receipt, two.view.unsent]).toEqual(['saved', { edits: 0, oldestAt: null }]);
  });

  test('[I5] [D6] of a frozen tab that holds its lock, read from the store: sending, until this tab has sent them', async () => {
    const harness = new SyncHarness(1, { liveUpdates: true });
    const user = harness.user('alice');
    const frozen = await user.opened();
    frozen.type('saved ');
    await harness.run(1_000);
    frozen.goOffline();
    frozen.type('held');
    await harness.run(50);
    // Nothing more of it runs, and its lock stays taken.
    frozen.isFrozenForTabs = true;
    const tab = await user.opened();
    expect([tab.text, tab.view.receipt, tab.view.unsent.edits]).toEqual(['saved held', 'sending', 1]);
    tab.goOffline();
    await harness.run(50);
    expect(tab.view.receipt).toBe('device');
    tab.goOnline();
    const states: string[] = [];
    tab.session.subscribe(() => states.push(`${tab.view.receipt} ${harness.logText}`));
    await harness.run(20_000);
    expect(states.filter((line) => line.startsWith('saved') && !line.endsWith('held'))).toEqual([]);
    expect([tab.view.receipt, harness.logText]).toEqual(['saved', 'saved held']);
  });
});
