// Third phase: each probe tests one way of delivery alone, in a quiet world: how soon it works, and what exactly it delivers.
// Random faults cannot show that, because with one way closed everyone still agrees in the end through the others.
import { decodeLiveUpdate } from 'weft-sync/protocol/live-update.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { EVENTS } from 'weft-sync/protocol/topics.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { mapOf, textOf } from '../checks/document-content.ts';
import { type Message, TIMEOUT_MS } from '../world/network.ts';
import { CONNECTS_WITHIN_MS } from '../world/sim-link.ts';
import type { SimTab } from '../world/sim-tab.ts';
import { STEP_MS, type SimWorld } from '../world/sim-world.ts';
import { probeErasing } from './erasing-probe.ts';
import { checkTabs } from './final-checks.ts';
import { probePresenting, probeTopicSwitch } from './stage-probes.ts';

/** A call and its answer in a healed world. */
const CALL_MS = 140;
/**
 * The live update with the head follows the append, within the message budget of a crowd. Then it takes at most 3 s until
 * its receiver fetches the rows (L4).
 */
const BY_HEAD_MS = 300 + CALL_MS + 200 + 300 + 3_000 + 2 * CALL_MS;
/** The longest wait for a head check: the last one was answered just before the row, the next one comes 30 s later (L4). */
const BY_CHECK_MS = 250 + CALL_MS / 2 + 30_000 + CALL_MS;
/** By then an edit is saved, and the text copy is not yet due. */
const SAVED_MS = 1_000;
/** The text copy follows the last edit, with the time for its call (SY16). */
const BY_COPY_MS = 2_000 + 2 * CALL_MS;
const BY_JOIN_MS = 2 * CALL_MS;
/** The interval of live updates, and the time to fetch an unknown session (L2, L5). */
const BY_LIVE_UPDATE_MS = 2 * CALL_MS + 400;
const JOIN_DELAY_MS = 1_500;
/** A tab that wrote in the last 5 s counts as a writer, and sends a live update to each newcomer. */
const SILENCE_MS = 6_000;
/** By then tabs wait long for their next call. */
const OUTAGE_MS = 45_000;
/** The connection, the join and the call that opens the page; the timer would come up to 30 s later (SY22). */
const BY_RETURN_MS = CONNECTS_WITHIN_MS + 2 * CALL_MS;
/** A row that was published has come back to its author by then, or is lost (LR2). */
const ROW_LOST_MS = 3_000 + 3 * CALL_MS;
/** More than a live update holds, so the database publishes it as a row. */
const LONG_TEXT_LENGTH = 20_000;
/** How long the messages of a writer are counted, and how many come without and with half the rate (LR1, LR2). */
const COUNTED_MS = 2_000;
const AT_FULL_RATE = COUNTED_MS / 50;
const AT_HALF_RATE = COUNTED_MS / 80;
const TYPED_EVERY_MS = 20;
/** LR2: the rate is doubled again. */
const RECOVERED_MS = 61_000;

export async function probe(world: SimWorld): Promise<void> {
  await checkTabs(world);
  const probes = [probeHeads, probeHeadCheck, probeLateJoin];
  if (world.options.liveUpdates)
    probes.push(probeUnsavedEdits, probeLateCause, probeRevocation, probeNewEditor, probePace);
  // Everyone joins again after it, which would hide from the others what went wrong before.
  probes.push(probeTopicSwitch, probePresenting);
  if (world.erases) probes.push(probeErasing);
  probes.push(probeOutage);
  for (const one of probes) {
    await one(world);
    await world.becomeQuiet();
  }
  await probeTextCopy(world);
  await world.becomeQuiet();
  await world.clock.run(STEP_MS);
}

/** SY16: the writer is killed before their text copy is due. The copy is made when an editor opens the page again. */
async function probeTextCopy(world: SimWorld): Promise<void> {
  const writer = world.tabsShowingLog().find(({ mayType, isSlowed }) => mayType && !isSlowed);
  if (writer === undefined) return;
  typeWord(writer, 'copied');
  await world.clock.run(SAVED_MS);
  writer.kill();
  const tab = world.openTab(writer.device);
  await becomeLive(world, tab);
  await world.clock.run(BY_COPY_MS);
  const { receipt, connection } = tab.session.getView();
  if (receipt !== 'saved' || connection !== 'live') return;
  world.coverage.count('probe of the copied text');
  const shown = textOf(tab.session.doc).toString();
  world.checker.expectSame('[SY16] text copy for lists and search', world.server.text(DOCUMENT).bodyText, shown);
}

/** L4: neither the row nor a live update with text arrives, but the head does. */
async function probeHeads(world: SimWorld): Promise<void> {
  const room = world.tabsShowingLog();
  const writer = room.find(({ mayType, isSlowed }) => mayType && !isSlowed);
  if (writer === undefined || room.length < 2) return;
  world.coverage.count('probe of heads');
  world.network.loses = (message) => isRow(message) || isText(message);
  const before = new Map(room.map((tab) => [tab, tab.session.sessionId]));
  typeWord(writer, 'heads');
  await world.clock.run(BY_HEAD_MS);
  // A session that just learned that another tab has begun a new copy (HI6) ends before it reports or fetches the head.
  const wentOn = room
    .filter(({ session }) => !session.getView().isRestoring)
    .filter((tab) => tab.session.sessionId === before.get(tab));
  // No one reports heads on the view topic: its readers fetch rows every 15 s (VT3).
  if (wentOn.includes(writer))
    expectEqual(
      world,
      '[L4] shown because of a reported head',
      writer,
      wentOn.filter(({ isViewing }) => !isViewing),
    );
  world.network.loses = () => false;
}

/** L4: no message arrives at all and no one does anything, so only the regular head check is left. */
async function probeHeadCheck(world: SimWorld): Promise<void> {
  const room = world.tabsShowingLog();
  const writer = room.find(({ mayType }) => mayType);
  if (writer === undefined) return;
  world.network.loses = () => true;
  typeWord(writer, 'check');
  await world.clock.run(BY_CHECK_MS);
  expectEqual(world, '[L4] shown because of a head check', writer, room);
  world.network.loses = () => false;
}

/** SY22: after an outage of the whole server everyone is back as soon as there is a connection. */
async function probeOutage(world: SimWorld): Promise<void> {
  const room = world.tabsShowingLog();
  const writer = room.find(({ mayType }) => mayType);
  if (writer === undefined) return;
  world.stopServer();
  typeWord(writer, 'during');
  await world.clock.run(OUTAGE_MS);
  const offline = room.filter(({ session }) => session.getView().connection === 'offline');
  world.startServer();
  await world.clock.run(BY_RETURN_MS);
  if (offline.length > 0) world.coverage.count('probe of an outage');
  const check = (when: string) => {
    for (const { name, session } of offline)
      world.checker.expectSame(`[SY22] ${name} ${when}`, session.getView().connection, 'live');
  };
  check('after the outage');
  await world.clock.run(TIMEOUT_MS);
  check('when the last call from before has failed');
}

/** LR2: a tab whose channel is closed for too many messages, or whose published row is lost, sends half as much for a minute. */
async function probePace(world: SimWorld): Promise<void> {
  const pair = await writerAndReader(world);
  if (pair === null) return;
  const [writer, reader] = pair;
  // The share of a tab that was slow before.
  await world.clock.run(RECOVERED_MS);
  if (!isLive(writer) || !isReading(reader)) return;
  const isRowLost = world.network.chance(0.5);
  if (isRowLost) await loseRow(world, writer);
  else writer.limit();
  await becomeLive(world, writer);
  await world.clock.run(SILENCE_MS);
  world.coverage.count(isRowLost ? 'probe of a lost row' : 'probe of too many messages');
  const cause = isRowLost ? 'a published row was lost' : 'too many messages';
  const slow = await messagesOf(world, writer);
  world.checker.expectSame(`[LR2] ${slow} messages after ${cause}: at most half`, slow <= AT_HALF_RATE + 2, true);
  await world.clock.run(RECOVERED_MS);
  const fast = await messagesOf(world, writer);
  world.checker.expectSame(`[LR2] ${fast} messages a minute after ${cause}: all`, fast >= AT_FULL_RATE - 6, true);
}

async function loseRow({ clock, network }: SimWorld, writer: SimTab): Promise<void> {
  network.loses = (message) => isRow(message) && message.to === writer.name;
  typeWord(writer, 'long '.repeat(LONG_TEXT_LENGTH / 5));
  await clock.run(ROW_LOST_MS);
  network.loses = () => false;
  writer.act(() => textOf(writer.session.doc).delete(0, LONG_TEXT_LENGTH));
}

/** How many messages a tab sends while its user types fast. */
async function messagesOf({ clock }: SimWorld, writer: SimTab): Promise<number> {
  const before = writer.messagesSent;
  for (let ms = 0; ms < COUNTED_MS; ms += TYPED_EVERY_MS) {
    writer.act(() => textOf(writer.session.doc).insert(0, 'x'));
    await clock.run(TYPED_EVERY_MS);
  }
  return writer.messagesSent - before;
}

/** L5: a row is appended after the newcomer opened the page and before its channel is joined. */
async function probeLateJoin(world: SimWorld): Promise<void> {
  const writer = world.tabsShowingLog().find(({ mayType }) => mayType);
  if (writer === undefined) return;
  // On another device: tabs of one device exchange edits directly.
  const device = world.devices.find((other) => other !== writer.device && mayEdit(world.checker.roleOf(other.user)));
  if (device === undefined) return;
  world.network.joinsAfterMs = JOIN_DELAY_MS;
  const newcomer = world.openTab(device);
  await world.clock.run(JOIN_DELAY_MS / 2);
  world.network.joinsAfterMs = 0;
  typeWord(writer, 'late');
  // A message from anyone else would hide that the newcomer did not fetch rows after its join.
  world.network.loses = () => true;
  await becomeLive(world, newcomer);
  await world.clock.run(BY_JOIN_MS);
  world.network.loses = () => false;
  if (!isReading(newcomer)) return;
  world.coverage.count('probe of a late join');
  expectEqual(world, '[L5] shown after the join', writer, [newcomer]);
}

/** L5, L2: a newcomer sees the unsaved edits of others, even if these do nothing at that moment. */
async function probeUnsavedEdits(world: SimWorld): Promise<void> {
  const room = world.tabsShowingLog();
  const writer = room.find(({ mayType, isSlowed }) => mayType && !isSlowed);
  const other = room.find((tab) => tab !== writer && tab.device !== writer?.device);
  const viewer = world.devices.find(({ name }) => name === 'viewer');
  if (writer === undefined || other === undefined || viewer === undefined) return;
  await world.closeAllBut([writer, other]);
  typeWord(writer, 'registered');
  writer.session.awareness.setLocalStateField('cursor', null);
  await world.clock.run(SILENCE_MS);
  writer.cut('HTTP', false);
  typeWord(writer, 'unsaved');
  await world.clock.run(300);
  const newcomer = world.openTab(viewer);
  await becomeLive(world, newcomer);
  await world.clock.run(BY_LIVE_UPDATE_MS);
  if (isReading(newcomer) && !newcomer.isViewing) {
    world.coverage.count('probe of unsaved edits');
    expectEqual(world, '[L5] unsaved edits shown to a newcomer', writer, [newcomer]);
  }
  writer.reconnect();
  writer.session.retry();
}

/** L2: a live update that builds on a lost one is shown as soon as that one is repeated, before either is a row. */
async function probeLateCause(world: SimWorld): Promise<void> {
  const writers = world.tabsShowingLog().filter(({ mayType, isSlowed }) => mayType && !isSlowed);
  const [first] = writers;
  const second = writers.find(({ device }) => device !== first?.device);
  const viewer = world.devices.find(({ name }) => name === 'viewer');
  if (first === undefined || second === undefined || viewer === undefined) return;
  await world.closeAllBut([first, second]);
  const reader = world.openTab(viewer);
  for (const tab of [first, second]) typeWord(tab, 'registered');
  await world.becomeQuiet();
  await world.clock.run(SILENCE_MS);
  if (!isReading(reader) || reader.isViewing) return;
  for (const tab of [first, second]) tab.cut('HTTP', false);
  world.network.loses = (message) => message.to === reader.name && isText(message);
  typeWord(first, 'cause');
  await world.clock.run(BY_LIVE_UPDATE_MS);
  world.network.loses = () => false;
  second.act(() => textOf(second.session.doc).insert(2, '-'));
  await world.clock.run(BY_LIVE_UPDATE_MS);
  typeWord(first, 'again');
  await world.clock.run(BY_LIVE_UPDATE_MS);
  if (isReading(reader)) {
    world.coverage.count('probe of a late cause');
    expectEqual(world, '[L2] shown after the edit it builds on arrived', first, [reader]);
  }
  for (const tab of [first, second]) {
    tab.reconnect();
    tab.session.retry();
  }
}

/**
 * L6, I8, D3: a user loses the right to write while another writes in the middle of their unsaved word. That word goes
 * into the log with the other's edit. An unsaved edit that no one built on vanishes.
 */
async function probeRevocation(world: SimWorld): Promise<void> {
  const author = world.tabsShowingLog().find(({ mayType, isSlowed }) => mayType && !isSlowed);
  const device = world.devices.find(({ user }) => user !== author?.device.user && mayEdit(world.checker.roleOf(user)));
  if (author === undefined || device === undefined) return;
  await world.closeAllBut([author]);
  const [builtOn, notBuiltOn] = [world.openTab(device), world.openTab(device)];
  const tabs = [author, builtOn, notBuiltOn];
  await world.becomeQuiet();
  if (!tabs.every(({ mayType }) => mayType)) return;
  for (const tab of tabs) typeWord(tab, 'registered');
  await world.becomeQuiet();
  await world.clock.run(SILENCE_MS);
  for (const tab of [builtOn, notBuiltOn]) tab.cut('HTTP', false);
  author.isAppendCut = true;
  typeWord(builtOn, 'KEPT');
  notBuiltOn.act(() => mapOf(notBuiltOn.session.doc).set('gone', true));
  await world.clock.run(600);
  if (!textOf(author.session.doc).toString().startsWith('KEPT') || !mapOf(author.session.doc).has('gone')) {
    return world.checker.problem('[L2] live updates are not shown in a quiet world');
  }
  author.act(() => textOf(author.session.doc).insert(2, '-'));
  await world.clock.run(100);
  world.coverage.count('revoked in the middle of a word');
  world.lowerRole(device.user, null);
  // The author's tab first drops the edit that no one built on, and appends its own edit only afterwards.
  await world.clock.run(3_000);
  author.session.retry();
  await world.clock.run(3_000);
  const { checker } = world;
  checker.expectSame('[L6] an edit that no one built on is shown', mapOf(author.session.doc).has('gone'), false);
  author.isAppendCut = false;
  author.session.retry();
  for (const tab of [builtOn, notBuiltOn]) tab.reconnect();
  await world.becomeQuiet();
  const shown = textOf(author.session.doc).toString().slice(0, 5);
  checker.expectSame('[L6] the word that the own edit is in', shown, 'KE-PT');
  checker.expectSame('[I8] an edit that no one built on is in the log', checker.content.includes('"gone"'), false);
  checker.expectSame('[D3] content that the author shows and the log', author.content, checker.content);
}

/** L6: a viewer who moved their caret becomes an editor. Realtime drops what their tab sends until it joins anew. */
async function probeNewEditor(world: SimWorld): Promise<void> {
  const pair = await writerAndReader(world);
  if (pair === null) return;
  const [writer, reader] = pair;
  const { user } = writer.device;
  world.checker.setRole(user, 'viewer');
  await world.becomeQuiet();
  world.people.moveCaret(writer.session);
  await world.clock.run(SILENCE_MS);
  world.checker.setRole(user, 'editor');
  writer.session.retry();
  await world.becomeQuiet();
  typeWord(writer, 'registered');
  await world.becomeQuiet();
  await world.clock.run(SILENCE_MS);
  if (!isLive(writer) || !isReading(reader)) return;
  writer.cut('HTTP', false);
  typeWord(writer, 'live');
  await world.clock.run(BY_LIVE_UPDATE_MS);
  world.coverage.count('probe of a new editor');
  expectEqual(world, '[L6] live update of a new editor', writer, [reader]);
  writer.reconnect();
  writer.session.retry();
}

/** Leaves one editor and one viewer on the page. */
async function writerAndReader(world: SimWorld): Promise<readonly [SimTab, SimTab] | null> {
  const writer = world.tabsShowingLog().find(({ mayType, isSlowed }) => mayType && !isSlowed);
  const viewer = world.devices.find(({ name }) => name === 'viewer');
  if (writer === undefined || viewer === undefined) return null;
  await world.closeAllBut([writer]);
  const reader = world.openTab(viewer);
  await world.becomeQuiet();
  return [writer, reader];
}

async function becomeLive(world: SimWorld, tab: SimTab): Promise<void> {
  for (let waited = 0; waited < 10_000 && !isLive(tab); waited += 20) await world.clock.run(20);
}

const isLive = ({ session }: SimTab): boolean => session.getView().connection === 'live';

/** On the live topic, and without edits that the server refuses: these are shown on their own device alone. */
const isReading = (tab: SimTab): boolean => isLive(tab) && tab.session.getView().receipt !== 'refused';

const typeWord = ({ session, act }: SimTab, word: string): void => act(() => textOf(session.doc).insert(0, `${word} `));

function expectEqual(world: SimWorld, what: string, writer: SimTab, others: readonly SimTab[]): void {
  for (const other of others) world.checker.expectSame(`${what} in ${other.name}`, other.content, writer.content);
}

const isRow = ({ event, fromDatabase }: Message): boolean => fromDatabase && event === EVENTS.rows;

/** A live update that has edits, not only a caret or a head. */
function isText({ event, payload }: Message): boolean {
  if (event !== EVENTS.liveUpdate) return false;
  const liveUpdate = decodeLiveUpdate(payload);
  return liveUpdate.ok && liveUpdate.value.update.length > 0;
}
