import { expect, test } from 'vitest';
import { browserTabs, channelName } from 'weft-sync/browser/tabs/tab-channel.ts';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from 'weft-sync/protocol/limits.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { bytes, pause, until } from '../contract-fixture.ts';
import { SILENCE_MS, recordingTab, newDocument, tabsContract } from './tabs.contract.ts';

const PROJECT = `contract-${Date.now()}`;
const user = (n: number) => {
  const id = parseUserId(`b0000000-0000-4000-8000-00000000000${n}`);
  if (id === null) throw new Error('malformed id in a test');
  return id;
};
const alice = user(1);

tabsContract('BroadcastChannel', () => () => browserTabs(PROJECT, alice, SCHEMA_VERSION));

test('[TB1] BroadcastChannel: another document of this origin is another tab', async () => {
  const page = newDocument();
  const here = recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), page);
  const frame = document.createElement('iframe');
  frame.srcdoc = `<script>
    const channel = new BroadcastChannel(${JSON.stringify(channelName(PROJECT, alice, SCHEMA_VERSION, page))});
    channel.onmessage = ({ data }) => channel.postMessage(Uint8Array.from([...new Uint8Array(data), 9]).buffer);
    channel.postMessage(Uint8Array.of(1).buffer);
  </script>`;
  document.body.append(frame);
  await until(() => here.received.length === 1);
  here.post(bytes(5, 6));
  await until(() => here.received.length === 2);
  expect(here.received).toEqual([bytes(1), bytes(5, 6, 9)]);
  here.leave();
  frame.remove();
});

test('[TB1] BroadcastChannel: other users and other projects receive nothing', async () => {
  const page = newDocument();
  const own = recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), page);
  const others = [
    recordingTab(browserTabs(PROJECT, user(2), SCHEMA_VERSION), page),
    recordingTab(browserTabs(`${PROJECT}x`, alice, SCHEMA_VERSION), page),
  ];
  const same = recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), page);
  own.post(bytes(1));
  await until(() => same.received.length === 1);
  await pause(SILENCE_MS);
  expect(others.map((one) => one.received)).toEqual([[], []]);
  for (const one of [own, same, ...others]) one.leave();
});

test('[TB3] BroadcastChannel: messages from other scripts are accepted only if they are bytes of a limited size', async () => {
  const page = newDocument();
  const here = recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), page);
  const script = new BroadcastChannel(channelName(PROJECT, alice, SCHEMA_VERSION, page));
  const junk: unknown[] = [
    null,
    undefined,
    7,
    'text',
    bytes(1, 2),
    { byteLength: 4 },
    [1],
    new Blob(['x']),
    new ArrayBuffer(0),
    new ArrayBuffer(MAX_TAB_MESSAGE_BYTES + 1),
  ];
  for (const one of junk) script.postMessage(one);
  script.postMessage(bytes(3).buffer);
  await until(() => here.received.length > 0);
  await pause(SILENCE_MS);
  expect(here.received).toEqual([bytes(3)]);
  here.leave();
  script.close();
});

for (const [away, back] of [
  [() => document.dispatchEvent(new Event('freeze')), () => document.dispatchEvent(new Event('resume'))],
  [() => leavePage('pagehide'), () => leavePage('pageshow')],
] as const) {
  test('[TB4] BroadcastChannel: a suspended page queues nothing and receives again when it is back', async () => {
    const page = newDocument();
    const [suspended, other] = [
      recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), page),
      new BroadcastChannel(channelName(PROJECT, alice, SCHEMA_VERSION, page)),
    ];
    away();
    away();
    suspended.post(bytes(1));
    for (let at = 0; at < 100; at++) other.postMessage(bytes(2).buffer);
    await pause(SILENCE_MS);
    back();
    back();
    other.postMessage(bytes(3).buffer);
    await until(() => suspended.received.length > 0);
    await pause(SILENCE_MS);
    expect(suspended.received).toEqual([bytes(3)]);
    suspended.leave();
    back();
    other.postMessage(bytes(4).buffer);
    await pause(SILENCE_MS);
    expect(suspended.received).toEqual([bytes(3)]);
    other.close();
  });
}

test('[TB4] without BroadcastChannel, or if it is refused, there are no other tabs and no errors', () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel');
  function refusing(): never {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  }
  for (const value of [undefined, refusing]) {
    Object.defineProperty(globalThis, 'BroadcastChannel', { value, configurable: true, writable: true });
    const alone = recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), newDocument());
    alone.post(bytes(1));
    alone.leave();
    expect(alone.received).toEqual([]);
  }
  if (own !== undefined) Object.defineProperty(globalThis, 'BroadcastChannel', own);
});

test('[I9] BroadcastChannel: leaving removes every listener it added', () => {
  const counted = [window, document].map((target) => countListeners(target));
  const joined = recordingTab(browserTabs(PROJECT, alice, SCHEMA_VERSION), newDocument());
  expect(counted.map((one) => one.count())).toEqual([2, 2]);
  joined.leave();
  expect(counted.map((one) => one.count())).toEqual([0, 0]);
  for (const one of counted) one.stop();
});

const leavePage = (type: string) => dispatchEvent(new PageTransitionEvent(type, { persisted: true }));

/** Listeners that were added and not removed. */
function countListeners(target: EventTarget) {
  const { addEventListener, removeEventListener } = target;
  const listeners = new Set<unknown>();
  target.addEventListener = (...args: Parameters<EventTarget['addEventListener']>) => {
    listeners.add(args[1]);
    addEventListener.apply(target, args);
  };
  target.removeEventListener = (...args: Parameters<EventTarget['removeEventListener']>) => {
    listeners.delete(args[1]);
    removeEventListener.apply(target, args);
  };
  return {
    count: () => listeners.size,
    stop: () => {
      Reflect.deleteProperty(target, 'addEventListener');
      Reflect.deleteProperty(target, 'removeEventListener');
    },
  };
}
