import { expect, test } from 'vitest';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { browserCrossTabEvents } from '../../../src/platform/browser/tabs/cross-tab-events.ts';
import { documentLocks } from '../../../src/platform/browser/tabs/document-locks.ts';
import { deviceDocument, newProject } from '../../support/server/device-ids.ts';
import { pause, until } from '../contract-fixture.ts';
import { SILENCE_MS } from '../tabs/tabs.contract.ts';
import { crossTabEventsContract, countingTab } from './cross-tab-events.contract.ts';

const user = (n: number) => {
  const id = parseUserId(`b0000000-0000-4000-8000-00000000000${n}`);
  if (id === null) throw new Error('malformed id in a test');
  return id;
};

crossTabEventsContract('BroadcastChannel', () => {
  const project = newProject();
  return () => browserCrossTabEvents(project, user(1));
});

test('other users and other projects receive nothing', async () => {
  const project = newProject();
  const own = countingTab(browserCrossTabEvents(project, user(1)));
  const same = countingTab(browserCrossTabEvents(project, user(1)));
  const others = [
    countingTab(browserCrossTabEvents(project, user(2))),
    countingTab(browserCrossTabEvents(newProject(), user(1))),
  ];
  own.notify();
  await until(() => same.events.count === 1);
  await pause(SILENCE_MS);
  expect(others.map(({ events }) => events.count)).toEqual([0, 0]);
  for (const one of [own, same, ...others]) one.leave();
});

test('a tab that is left notifies the others by itself, and one that comes back refreshes', async () => {
  const project = newProject();
  const channel = new BroadcastChannel(`weft-device:${project}:${user(1)}`);
  let messages = 0;
  channel.onmessage = () => void messages++;
  const leaving = countingTab(browserCrossTabEvents(project, user(1)));
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  await until(() => messages === 1);
  channel.postMessage('changed');
  await pause(SILENCE_MS);
  expect(leaving.events.count).toBe(0);
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(leaving.events.count).toBe(1);
  channel.postMessage('changed');
  await until(() => leaving.events.count === 2);
  leaving.leave();
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  await pause(SILENCE_MS);
  expect(messages).toBe(1);
  channel.close();
});

test('a page counts as open as long as any tab has it open', async () => {
  const project = newProject();
  const [one, other, otherUser] = [
    documentLocks(project, user(1)),
    documentLocks(project, user(1)),
    documentLocks(project, user(2)),
  ];
  const holds = [await one.hold(deviceDocument(1)), await other.hold(deviceDocument(1))];
  await otherUser.hold(deviceDocument(2));
  expect(Array.from(await other.open())).toEqual([deviceDocument(1)]);
  for (const release of holds) release();
  await expect.poll(async () => (await other.open()).size).toBe(0);
});
