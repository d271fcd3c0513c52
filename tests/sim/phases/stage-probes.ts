// Probes of who presents a page and which topic its readers are on, in a quiet world.
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { textOf } from '../checks/document-content.ts';
import type { SimTab } from '../world/sim-tab.ts';
import type { SimWorld } from '../world/sim-world.ts';

/** A call, its answer, and the message that the database publishes. */
const BY_MESSAGE_MS = 400;
/** The next call of a tab that presents. */
const BY_NEXT_CALL_MS = 5_000 + BY_MESSAGE_MS;
/** The next call of a watcher by link. */
const BY_ASK_MS = 15_000 + BY_MESSAGE_MS;
const GONE_MS = 20_000 + 200;
/** "Moved", the wait before the page is opened again, and that call. */
const BY_MOVE_MS = 2_000 + 2 * BY_MESSAGE_MS;
const MOVED_OFTEN_MS = 3_000;
const LEAVES_LIVE_WITHIN_MS = 7_000;
const LOOKS_IN_WITHIN_MS = 280_000;
const JOIN_DELAY_MS = 1_500;
const CALL_MS = 140;

/** PR1–PR6: an editor presents, someone misses it, another tab takes over, the tab dies, a right is lost. */
export async function probePresenting(world: SimWorld): Promise<void> {
  const { checker, clock, network } = world;
  const leader = world.tabsShowingLog().find(({ mayType, isSlowed }) => mayType && !isSlowed);
  if (leader === undefined || world.server.presenter(DOCUMENT) !== null) return;
  await world.closeAllBut([leader, ...world.tabsShowingLog().filter(({ device }) => device !== leader.device)]);
  if (!isLive(leader) || !leader.mayType) return;
  world.coverage.count('probe of a presenter');

  network.loses = ({ event }) => event === EVENTS.presenting;
  present(world, leader);
  await clock.run(BY_ASK_MS);
  for (const watcher of world.watchers.filter(({ isOver }) => !isOver))
    checker.expectSame('[PR2] a watcher who got no message shows the presenter', watcher.presenter !== null, true);
  network.loses = () => false;
  await clock.run(BY_NEXT_CALL_MS);
  expectPresenter(world, '[PR1] shown after a message', leader);

  // PR6: the newest of many places.
  const calls = leader.presentCalls;
  const end = clock.now() + MOVED_OFTEN_MS;
  while (clock.now() < end) {
    present(world, leader);
    await clock.run(50);
  }
  const often = leader.presentCalls - calls;
  // The last one comes while a call is under way.
  const before = leader.presentCalls;
  present(world, leader);
  await waitFor(world, BY_MESSAGE_MS + 1_000, () => leader.presentCalls > before);
  present(world, leader);
  checker.expectSame(`[PR6] ${often} calls in 3 s: at most two a second`, often <= 7, true);
  await clock.run(1_000 + BY_MESSAGE_MS);
  expectPlace(world, '[PR6] the newest place', leader);

  // PR5: the same person begins in another tab.
  const second = world.openTab(leader.device);
  await world.becomeQuiet();
  if (second.mayType && isLive(second)) {
    present(world, second);
    await clock.run(BY_MESSAGE_MS + CALL_MS);
    expectPresenter(world, '[PR5] the tab that took over', second);
    await clock.run(BY_NEXT_CALL_MS);
    expectPresenter(world, '[PR5] it goes on', second);
    second.kill();
    await clock.run(GONE_MS);
    expectPresenter(world, '[PR3] after 20 s without a sign', null);
  }

  present(world, leader);
  await clock.run(BY_NEXT_CALL_MS);
  const { user } = leader.device;
  world.lowerRole(user, 'viewer');
  await clock.run(BY_MESSAGE_MS);
  for (const { presenter } of world.watchers) checker.expectSame('[PR4] a watcher shows no one', presenter, null);
  await clock.run(BY_MOVE_MS);
  expectPresenter(world, '[PR4] after a lost right', null);
  world.restoreRole(user);
  leader.session.retry();
}

/** VT1–VT5: a reader leaves for the view topic and comes back, and misses nothing on the way. */
export async function probeTopicSwitch(world: SimWorld): Promise<void> {
  const { checker, clock, network } = world;
  const writer = world.tabsShowingLog().find(({ mayType, isSlowed }) => mayType && !isSlowed);
  const viewer = world.devices.find(({ name }) => name === 'viewer');
  if (writer === undefined || viewer === undefined || !world.hasFewOnLive) return;
  await world.closeAllBut([writer]);
  const reader = world.openTab(viewer);
  await world.becomeQuiet();
  await clock.run(1_000);
  // A reader who has unsent edits, set aside perhaps, shows them beside the log (SY3).
  if (!isLive(reader) || reader.isViewing || !world.tabsShowingLog().includes(reader)) return;
  const crowd = Array.from({ length: 4 }, () => world.openTab(writer.device));
  network.joinsAfterMs = 0;
  const left = await waitFor(world, LEAVES_LIVE_WITHIN_MS, () => {
    // From now on a join takes long, so that a row falls between the two topics.
    network.joinsAfterMs = crowd.every(isLive) ? JOIN_DELAY_MS : 0;
    return reader.isViewing;
  });
  checker.expectSame('[VT1] a reader leaves a crowded live topic', left, true);
  if (!left) return;
  world.coverage.count('probe of a switch to the view topic');
  await missNothing(world, '[VT3] shown after the switch to the view topic', writer, reader);
  await world.becomeQuiet();

  if (reader.isViewing) {
    checker.expectSame(
      '[VT2] the people whom a reader on the view topic lists',
      reader.session.getView().peers.length,
      0,
    );
    world.moveTopic();
    await clock.run(BY_MOVE_MS);
    checker.expectSame('[VT5] a reader on a former view topic', reader.isElsewhere(checker.topic), false);
    await world.becomeQuiet();
  }

  for (const tab of crowd) void tab.close();
  await world.becomeQuiet();
  network.joinsAfterMs = 0;
  const isBack = await waitFor(world, LOOKS_IN_WITHIN_MS, () => {
    network.joinsAfterMs = JOIN_DELAY_MS;
    return !reader.isViewing;
  });
  checker.expectSame('[VT4] a reader is back on the live topic that has room', isBack, true);
  if (isBack) await missNothing(world, '[VT3] shown after the switch to the live topic', writer, reader);
  network.joinsAfterMs = 0;
}

/** While the reader joins, the writer types, and no message arrives: what is fetched after the join has to bring it. */
async function missNothing(world: SimWorld, what: string, writer: SimTab, reader: SimTab): Promise<void> {
  const { network, clock, checker } = world;
  network.joinsAfterMs = 0;
  network.loses = () => true;
  writer.act(() => textOf(writer.session.doc).insert(0, 'between '));
  await clock.run(JOIN_DELAY_MS + 3 * CALL_MS);
  network.loses = () => false;
  checker.expectSame(`${what} in ${reader.name}`, reader.content, writer.content);
}

async function waitFor(world: SimWorld, ms: number, isDone: () => boolean): Promise<boolean> {
  const end = world.clock.now() + ms;
  while (!isDone()) {
    if (world.clock.now() >= end) return false;
    await world.clock.run(20);
  }
  return true;
}

function present({ people }: SimWorld, { session }: SimTab): void {
  session.present(people.nextPlace());
}

/** Everyone with access shows this presenter, by name where they may know it. */
function expectPresenter({ checker, server, watchers, tabs }: SimWorld, what: string, leader: SimTab | null): void {
  checker.expectSame(`${what}: in the database`, server.presenter(DOCUMENT)?.session, leader?.session.sessionId);
  for (const tab of tabs) {
    if (tab.isDead || tab.isClosed || checker.roleOf(tab.device.user) === null || !isLive(tab)) continue;
    const { presenter } = tab.session.getView();
    checker.expectSame(`${what}: in ${tab.name}`, presenter?.user, leader?.device.user);
    checker.expectSame(`${what}: own in ${tab.name}`, presenter?.isOwn === true, tab === leader);
  }
  for (const { isOver, presenter } of watchers)
    checker.expectSame(`${what}: in a watcher`, presenter !== null, leader !== null && !isOver);
}

function expectPlace({ checker, tabs, watchers }: SimWorld, what: string, leader: SimTab): void {
  const { presenter: own } = leader.session.getView();
  for (const tab of tabs) {
    if (tab.isDead || tab.isClosed || !isLive(tab) || checker.roleOf(tab.device.user) === null) continue;
    const { presenter } = tab.session.getView();
    checker.expectSame(`${what} in ${tab.name}`, presenter?.place?.offset, own?.place?.offset);
  }
  for (const { isOver, presenter } of watchers)
    if (!isOver) checker.expectSame(`${what} in a watcher`, presenter?.place?.offset, own?.place?.offset);
}

const isLive = ({ session }: SimTab): boolean => session.getView().connection === 'live';
