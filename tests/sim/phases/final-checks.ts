// Last phase: compares what every tab and watcher shows with the log, and the log with every receipt and device. Then
// everything is closed, and nothing may be left behind.
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import { hasPending } from '../checks/document-content.ts';
import type { SimTab } from '../world/sim-tab.ts';
import type { SimWorld } from '../world/sim-world.ts';

const CLOSING_MS = 30_000;
/**
 * CA5: 0.3 s until someone new is asked about, at most a second after the call before, a second until they are asked about
 * again, and the calls.
 */
const NAMED_WITHIN_MS = 3_000;

export async function checkWorld(world: SimWorld): Promise<void> {
  const { checker } = world;
  await checkTabs(world);
  for (const watcher of world.watchers) watcher.check(checker);
  checker.checkAcknowledgedEdits();
  checker.checkHistory();
  checker.checkSessions(world.openTabs().map(({ session }) => session.sessionId));
  for (const { name, user, store } of world.devices) {
    await checker.checkStoredDocument(store, name, checker.roleOf(user));
    if (!mayEdit(checker.roleOf(user))) continue;
    checker.checkStoredEditsAreLogged(store, name);
    await checker.checkOutboxesAreEmpty(store, name);
  }
}

/** Checks every open tab of a quiet world. */
export async function checkTabs(world: SimWorld): Promise<void> {
  const { checker, clock } = world;
  for (const tab of world.openTabs()) {
    const wrong = tab.misnamed(ownersIn(world)) - tab.unnamed;
    checker.expectSame(`[CA5] people under a wrong name of ${tab.name}`, wrong, 0);
  }
  // A reader may have looked in just now (VT4), however quiet it is.
  if (world.openTabs().some(({ unnamed }) => unnamed > 0)) await clock.run(NAMED_WITHIN_MS);
  for (const tab of world.openTabs()) checkTab(world, tab);
}

const ownersIn =
  ({ tabs }: Pick<SimWorld, 'tabs'>) =>
  (session: unknown) =>
    tabs.find((one) => one.hadSession(session))?.device.user;

function checkTab({ checker, server, tabs }: SimWorld, tab: SimTab): void {
  const view = tab.session.getView();
  const role = checker.roleOf(tab.device.user);
  const ofTab = (what: string) => `${what} of ${tab.name}`;
  checker.expectSame(ofTab('pending structs'), hasPending(tab.session.doc), false);
  checker.expectSame(ofTab('[L6] channels on a former topic'), tab.isElsewhere(checker.topic), false);
  // What is typed while another session takes over has no number.
  if (!view.isRestoring)
    checker.expectSame(ofTab('[ID1] numbered edits'), view.lastN, checker.editsBy(tab.session.sessionId));
  if (role === null) {
    checker.expectSame(ofTab('editable without a role'), view.editable, false);
    return;
  }
  checker.expectSame(ofTab('[HI9] erased characters'), checker.history.inDoc(tab.session.doc), 0);
  const presenter = server.presenter(DOCUMENT);
  checker.expectSame(ofTab('[PR1] presenter'), view.presenter?.user ?? null, presenter?.user ?? null);
  const isPresenting = presenter?.session === tab.session.sessionId;
  checker.expectSame(ofTab('[PR5] presenting'), view.presenter?.isOwn === true, isPresenting);
  checker.expectSame(ofTab('[CA5] people without their name'), tab.misnamed(ownersIn({ tabs })), 0);
  if (view.receipt === 'refused' && checker.mayRefuse(tab.device.store)) return;
  // A tab that began with a snapshot never saw the rows below it.
  const seen = checker.hasSnapshot ? view.damaged : checker.damaged;
  checker.expectSame(
    ofTab('[D8] damaged rows'),
    view.damaged.join(),
    checker.damaged.filter((seq) => seen.includes(seq)).join(),
  );
  checker.expectSame(ofTab('[I5] up to date'), view.upToDate, true);
  checker.expectSame(ofTab('connection'), view.connection, 'live');
  if (mayEdit(role)) checker.expectSame(ofTab('[I5] receipt'), view.receipt, 'saved');
  else checker.expectSame(ofTab('editable as a viewer'), view.editable, false);
  // A former editor keeps seeing the edits that they could not send.
  if (mayEdit(role) || view.unsent.edits === 0) checker.expectSame(ofTab('[I7] content'), tab.content, checker.content);
}

/** Closes everything. No timer, channel, listener or lock may be left (I9). */
export async function closeWorld(world: SimWorld): Promise<void> {
  const { checker, clock, server } = world;
  const closed = world.tabs.filter((tab) => !tab.isDead);
  const closing = Promise.all(closed.map((tab) => tab.close()));
  for (const watcher of world.watchers) watcher.session.close();
  await clock.run(CLOSING_MS);
  await closing;
  checker.expectSame('[I9] timers left', clock.pending, 0);
  checker.expectSame('[I9] channels left', server.hub.channels, 0);
  for (const tab of closed) checker.expectSame(`[I9] listeners left by ${tab.name}`, tab.environment.listeners, 0);
  for (const { name, locks, tabs } of world.devices) {
    checker.expectSame(`[I9] locks left by ${name}`, locks.held, 0);
    checker.expectSame(`[I9] tab channels left by ${name}`, tabs.joined, 0);
  }
  checker.destroy();
}
