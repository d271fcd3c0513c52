// HI9, WA9: words that were erased leave every open tab within seconds, and a device that was offline meanwhile loses none
// of its own edits and brings no erased character back.
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { textOf } from '../checks/document-content.ts';
import type { SimWorld } from '../world/sim-world.ts';

const WORDS = 'hunter2';
const SAVED_MS = 1_000;
/** The manager's work, the message that the topic moved, the wait of at most 2 s, and the calls that fetch the page. */
const BY_ERASURE_MS = 700 + 2_000 + 2_000;
/** The text copy follows 2 s after the erasure was taken. */
const BY_COPY_MS = 4_000;

export async function probeErasing(world: SimWorld): Promise<void> {
  const { checker, clock, coverage, manager, network, server, watchers } = world;
  const room = world.tabsShowingLog();
  const writer = room.find(({ mayType, isSlowed }) => mayType && !isSlowed);
  const away = room.find(({ device, mayType }) => mayType && device !== writer?.device);
  if (writer === undefined) return;
  writer.act(() => textOf(writer.session.doc).insert(0, WORDS));
  // The row may be lost on its way: then the tab that builds on the words knows them only from a live update.
  if (network.chance(0.5) && away !== undefined) network.loses = ({ to }) => to === away.name;
  await clock.run(SAVED_MS);
  network.loses = () => false;
  if (away !== undefined) {
    away.cut('everything', true);
    if (network.chance(0.5)) away.act(() => textOf(away.session.doc).insert(WORDS.length - 1, 'unsent'));
    else away.act(() => textOf(away.session.doc).insert(0, WORDS));
  }
  const characters = checker.passageOf(WORDS);
  if (writer.session.getView().receipt !== 'saved' || characters.length === 0) {
    away?.reconnect();
    return;
  }
  coverage.count('probe of an erasure');
  if (network.chance(0.5)) manager.compact(0);
  // Tabs that are not on the topic learn of it from the next answer.
  const online = world.openTabs().filter((tab) => tab !== away && tab.session.getView().connection === 'live');
  const erasing = manager.erase(characters);
  await clock.run(BY_ERASURE_MS);
  await erasing;
  if (network.chance(0.5)) manager.compact(0);
  for (const { name, session } of online)
    checker.expectSame(`[HI9] erased characters in ${name}`, checker.history.inDoc(session.doc), 0);
  for (const { isOver, session } of watchers)
    if (!isOver) checker.expectSame('[WA9] erased characters in a watcher', checker.history.inDoc(session.doc), 0);
  away?.reconnect();
  await world.becomeQuiet();
  await clock.run(BY_COPY_MS);
  // The tab that was away has typed the words anew, in characters of its own.
  const isTypedAnew = textOf(writer.session.doc).toString().includes(WORDS);
  checker.expectSame('[HI9] the text copy', server.text(DOCUMENT).bodyText.includes(WORDS), isTypedAnew);
}
