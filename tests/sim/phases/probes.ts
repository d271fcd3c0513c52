// Probes test what random faults cannot show: how soon each way of delivery works, and what exactly it delivers. With one
// way closed everybody still agrees in the end, because others remain. Each probe tests one way, in a quiet world.
import { decodeLiveUpdate } from '../../../src/protocol/live-update.ts';
import { mayEdit } from '../../../src/protocol/roles.ts';
import { EVENTS } from '../../../src/protocol/topics.ts';
import { mapOf, textOf } from '../checks/document-content.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import type { Message } from '../world/network.ts';
import type { SimTab } from '../world/sim-tab.ts';
import type { Simulation } from '../world/sim-world.ts';

/** A call and its answer in a healed world. */
const CALL_MS = 140;
/**
 * The live update with the head after the append, within a crowd's budget, then at most 3 s until its receiver asks
 * (L4).
 */
const BY_HEAD_MS = 300 + CALL_MS + 200 + 300 + 3_000 + 2 * CALL_MS;
/** A row at the latest: a head check answered just before it, and the next one with its call (L4). */
const BY_CHECK_MS = 250 + CALL_MS / 2 + 30_000 + CALL_MS;
/** By then an edit is saved, and its copy not yet due. */
const SAVED_MS = 1_000;
/** SY16: after the last edit, with the call. */
const BY_COPY_MS = 2_000 + 2 * CALL_MS;
const BY_JOIN_MS = 2 * CALL_MS;
/** Time to ask for the session, if need be (L2, L5), and the interval of live updates. */
const BY_LIVE_UPDATE_MS = 2 * CALL_MS + 400;
const JOIN_LATE_MS = 1_500;
/** A tab that wrote in the last 5 s counts as a writer, and sends a live update to whoever joins. */
const SILENCE_MS = 6_000;

export async function probe(simulation: Simulation): Promise<void> {
  const probes = [rowsAreLost, everythingIsLost, joinedLate];
  if (simulation.options.liveUpdates) probes.push(unsavedMeetsJoiner, causeComesLate, revokedInTheMiddle);
  for (const one of probes) {
    await one(simulation);
    await simulation.becomeQuiet();
  }
  await textIsCopied(simulation);
}

/** SY16: the writer is gone before the copy was due; lists show it all the same once an editor opens the page. */
async function textIsCopied(simulation: Simulation): Promise<void> {
  const writer = simulation.inRoom().find(({ mayType, wasLimited }) => mayType && !wasLimited);
  if (writer === undefined) return;
  typeWord(writer, 'copied');
  await simulation.clock.run(SAVED_MS);
  writer.kill();
  const tab = simulation.openOn(writer.device);
  await becomeLive(simulation, tab);
  await simulation.clock.run(BY_COPY_MS);
  const { receipt, connection } = tab.session.getView();
  if (receipt !== 'saved' || connection !== 'live') return;
  simulation.coverage.count('probe of the copied text');
  const says = textOf(tab.session.doc).toString();
  simulation.checker.expectSame('[SY16] what lists and search know', simulation.server.text(DOCUMENT).bodyText, says);
}

/** L4: neither the row nor a live update with text arrives; the head does. */
async function rowsAreLost(simulation: Simulation): Promise<void> {
  const room = simulation.inRoom();
  const writer = room.find(({ mayType, wasLimited }) => mayType && !wasLimited);
  if (writer === undefined || room.length < 2) return;
  simulation.coverage.count('probe of heads');
  simulation.network.loses = (message) => isRow(message) || isText(message);
  typeWord(writer, 'heads');
  await simulation.clock.run(BY_HEAD_MS);
  // On the view topic nobody reports heads: its readers ask every 15 s (VT3).
  const hearing = room.filter(({ isViewing }) => !isViewing);
  expectEqual(simulation, '[L4] shown by head', writer, hearing);
  simulation.network.loses = () => false;
}

/** L4: nothing arrives at all and nobody does anything, so only the head check is left. */
async function everythingIsLost(simulation: Simulation): Promise<void> {
  const room = simulation.inRoom();
  const writer = room.find(({ mayType }) => mayType);
  if (writer === undefined) return;
  simulation.network.loses = () => true;
  typeWord(writer, 'check');
  await simulation.clock.run(BY_CHECK_MS);
  expectEqual(simulation, '[L4] shown by head check', writer, room);
  simulation.network.loses = () => false;
}

/** L5: a row is appended after the open call and before the join. */
async function joinedLate(simulation: Simulation): Promise<void> {
  const writer = simulation.inRoom().find(({ mayType }) => mayType);
  if (writer === undefined) return;
  const device = simulation.devices.find(
    (other) => other !== writer.device && mayEdit(simulation.checker.roleOf(other.user)),
  );
  // Tabs of one device exchange edits directly.
  if (device === undefined) return;
  simulation.network.joinsAfterMs = JOIN_LATE_MS;
  const joiner = simulation.openOn(device);
  await simulation.clock.run(JOIN_LATE_MS / 2);
  simulation.network.joinsAfterMs = 0;
  typeWord(writer, 'late');
  // Anything the joiner received from others would hide that it did not ask.
  simulation.network.loses = () => true;
  await becomeLive(simulation, joiner);
  await simulation.clock.run(BY_JOIN_MS);
  simulation.network.loses = () => false;
  if (!isLive(joiner)) return;
  simulation.coverage.count('probe of a late join');
  expectEqual(simulation, '[L5] shown after the join', writer, [joiner]);
}

/** L5, L2: a newcomer sees others' unsaved edits, even if these do nothing at that moment. */
async function unsavedMeetsJoiner(simulation: Simulation): Promise<void> {
  const room = simulation.inRoom();
  const writer = room.find(({ mayType, wasLimited }) => mayType && !wasLimited);
  const other = room.find((tab) => tab !== writer && tab.device !== writer?.device);
  const viewers = simulation.devices.find(({ name }) => name === 'viewer');
  if (writer === undefined || other === undefined || viewers === undefined) return;
  await simulation.leaveOnly([writer, other]);
  typeWord(writer, 'registered');
  writer.session.awareness.setLocalStateField('cursor', null);
  await simulation.clock.run(SILENCE_MS);
  writer.cut('HTTP', false);
  typeWord(writer, 'unsaved');
  await simulation.clock.run(300);
  const joiner = simulation.openOn(viewers);
  await becomeLive(simulation, joiner);
  await simulation.clock.run(BY_LIVE_UPDATE_MS);
  if (isLive(joiner) && !joiner.isViewing) {
    simulation.coverage.count('probe of unsaved edits');
    expectEqual(simulation, '[L5] unsaved edits shown to who joined', writer, [joiner]);
  }
  writer.mend();
  writer.session.retry();
}

/** L2: a live update that builds on a lost one is shown as soon as that one is repeated, before either is a row. */
async function causeComesLate(simulation: Simulation): Promise<void> {
  const writers = simulation.inRoom().filter(({ mayType, wasLimited }) => mayType && !wasLimited);
  const [first] = writers;
  const second = writers.find(({ device }) => device !== first?.device);
  const viewers = simulation.devices.find(({ name }) => name === 'viewer');
  if (first === undefined || second === undefined || viewers === undefined) return;
  await simulation.leaveOnly([first, second]);
  const reader = simulation.openOn(viewers);
  for (const tab of [first, second]) typeWord(tab, 'registered');
  await simulation.becomeQuiet();
  await simulation.clock.run(SILENCE_MS);
  if (!isLive(reader) || reader.isViewing) return;
  for (const tab of [first, second]) tab.cut('HTTP', false);
  simulation.network.loses = (message) => message.to === reader.name && isText(message);
  typeWord(first, 'cause');
  await simulation.clock.run(BY_LIVE_UPDATE_MS);
  simulation.network.loses = () => false;
  second.act(() => textOf(second.session.doc).insert(2, '-'));
  await simulation.clock.run(BY_LIVE_UPDATE_MS);
  typeWord(first, 'again');
  await simulation.clock.run(BY_LIVE_UPDATE_MS);
  if (isLive(reader)) {
    simulation.coverage.count('probe of a late cause');
    expectEqual(simulation, '[L2] shown when its cause had come', first, [reader]);
  }
  for (const tab of [first, second]) {
    tab.mend();
    tab.session.retry();
  }
}

/**
 * L6, I8, D3: a user loses the right to write while another writes in the middle of their word. That word goes into the
 * log with what was written in it; edits that nobody built on vanish.
 */
async function revokedInTheMiddle(simulation: Simulation): Promise<void> {
  const author = simulation.inRoom().find(({ mayType, wasLimited }) => mayType && !wasLimited);
  const device = simulation.devices.find(
    ({ user }) => user !== author?.device.user && mayEdit(simulation.checker.roleOf(user)),
  );
  if (author === undefined || device === undefined) return;
  await simulation.leaveOnly([author]);
  const [builtOn, gone] = [simulation.openOn(device), simulation.openOn(device)];
  await simulation.becomeQuiet();
  if (![author, builtOn, gone].every(({ mayType }) => mayType)) return;
  for (const tab of [author, builtOn, gone]) typeWord(tab, 'registered');
  await simulation.becomeQuiet();
  await simulation.clock.run(SILENCE_MS);
  for (const tab of [builtOn, gone]) tab.cut('HTTP', false);
  author.isAppendCut = true;
  typeWord(builtOn, 'KEPT');
  gone.act(() => mapOf(gone.session.doc).set('gone', true));
  await simulation.clock.run(600);
  if (!textOf(author.session.doc).toString().startsWith('KEPT') || !mapOf(author.session.doc).has('gone')) {
    return simulation.checker.problem('[L2] live updates of a quiet room are not shown');
  }
  author.act(() => textOf(author.session.doc).insert(2, '-'));
  await simulation.clock.run(100);
  simulation.coverage.count('revoked in the middle of a word');
  simulation.takeRole(device.user, null);
  // First the view is corrected, then the edit goes out.
  await simulation.clock.run(3_000);
  author.session.retry();
  await simulation.clock.run(3_000);
  simulation.checker.expectSame('[L6] what nobody built on is shown', mapOf(author.session.doc).has('gone'), false);
  author.isAppendCut = false;
  author.session.retry();
  for (const tab of [builtOn, gone]) tab.mend();
  await simulation.becomeQuiet();
  const says = textOf(author.session.doc).toString().slice(0, 5);
  simulation.checker.expectSame('[L6] what an own edit was made in', says, 'KE-PT');
  simulation.checker.expectSame(
    '[I8] what nobody built on is in the log',
    simulation.checker.content.includes('"gone"'),
    false,
  );
  simulation.checker.expectSame('[D3] what the author shows is in the log', author.content, simulation.checker.content);
}

async function becomeLive(simulation: Simulation, tab: SimTab): Promise<void> {
  for (let waited = 0; waited < 10_000 && !isLive(tab); waited += 20) await simulation.clock.run(20);
}

const isLive = ({ session }: SimTab): boolean => session.getView().connection === 'live';

const typeWord = ({ session, act }: SimTab, word: string): void => act(() => textOf(session.doc).insert(0, `${word} `));

function expectEqual(simulation: Simulation, what: string, writer: SimTab, others: readonly SimTab[]): void {
  for (const other of others) simulation.checker.expectSame(`${what} in ${other.name}`, other.content, writer.content);
}

const isRow = ({ event, fromDatabase }: Message): boolean => fromDatabase && event === EVENTS.rows;

function isText({ event, payload }: Message): boolean {
  if (event !== EVENTS.liveUpdate) return false;
  const liveUpdate = decodeLiveUpdate(payload);
  return liveUpdate.ok && liveUpdate.value.update.length > 0;
}
