// The parts of one person's state, each in a file of its own. Here they are connected: what one part reports, others act on.
import { atom, createStore } from 'jotai/vanilla';
import type { Identity } from '../../ports/account.ts';
import { cachedPages } from '../offline/cached-pages.ts';
import type { OpenPage } from '../page/open-page.ts';
import { renamePage } from '../page/rename-page.ts';
import { cachedPeople } from '../people/people.ts';
import { lostPages } from '../workspace/lost-pages.ts';
import { deviceQueues } from './device-queues.ts';
import { personPages } from './person-pages.ts';
import type { PersonPorts } from './person-ports.ts';
import { personWorkspaces } from './person-workspaces.ts';
import { visits } from './visits.ts';

export function personParts(identity: Identity, ports: PersonPorts) {
  const { directory, timing } = ports;
  const store = createStore();
  const people = cachedPeople({ ...ports, store, fetch: (users) => directory.profiles(users) });
  people.ensureLoaded([identity.id]);
  const openPagesAtom = atom<readonly OpenPage[]>([]);
  const queues = deviceQueues({
    me: identity.id,
    store,
    ports,
    people,
    openPagesAtom,
    onUnsentRefreshed: () => sender.send(),
    onPageCreated(page, isMadeAgain) {
      workspaces.putPage(page);
      // Its edits can be sent now, whether the page is open or not.
      pages.peek(page.id)?.retry();
      if (isMadeAgain) sender.putBack(page.id);
      // The server answers again.
      sender.resume();
    },
    async onPagesSettled(documents) {
      for (const document of documents) pages.peek(document)?.retry();
      await workspaces.refreshOpen();
    },
    async onPageChanged(page) {
      if (page !== null) workspaces.putPage(page);
      await workspaces.refreshOpen();
    },
  });
  const { pendingPages } = queues;
  const cached = cachedPages({ ...ports, store });
  const opened = personPages({
    store,
    ports,
    queues,
    openPagesAtom,
    onShown: cached.noteOpened,
    onAccessLost(document) {
      void lost.mayForget(document).then((mayForget) => (mayForget ? cached.noteAccessLost(document) : undefined));
      void workspaces.refreshOpen();
    },
  });
  const { pages, sender } = opened;
  const lost = lostPages({
    ...ports,
    pendingPages,
    onQueued(document) {
      const page = pages.peek(document);
      page?.retry();
      void page?.reopen();
    },
    onAhead: sender.putBack,
    forget: (document) => void cached.remove(document),
  });
  const seen = visits({ ...ports, store, onVisited: (page, seenAt) => workspaces.noteVisit(page, seenAt) });
  const workspaces = personWorkspaces({
    me: identity.id,
    store,
    ports,
    people,
    pendingPages,
    changes: queues.pageChanges,
    renamePage: (page, title) => renamePage({ pages, store, after: timing.after }, page, title),
    waitingVisitsAtom: seen.waitingAtom,
    cachedPagesAtom: cached.atom,
    onCommented: (change) => store.get(queues.comments.atom)?.noteChange(change),
    onPagesGone: lost.listsLack,
  });
  return { store, people, queues, cached, opened, lost, seen, workspaces };
}
