// Announces to assistive technology what others do on the page: who came and left, and what they changed.
// `announcer.ts` decides what is announced and when.
import { useEffect, useRef } from 'react';
import { textOfPart } from 'weft-document/body-parts.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { remoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import type { ProfilesById } from '../carets/caret-layer.ts';
import { Announcer } from './announcer.ts';
import { useAnnouncements } from './use-announcements.tsx';

/** How long an arrival waits for the name, which is fetched when someone opens the page. */
const MAX_NAME_WAIT_MS = 2_000;
const UNKNOWN_NAME = 'Someone';

type RemoteAnnouncementsProps = { readonly session: Session; readonly doc: Y.Doc; readonly people: ProfilesById };

export function RemoteAnnouncements({ session, doc, people }: RemoteAnnouncementsProps) {
  const [region, announce] = useAnnouncements('Activity of others');
  const names = useRef(people);
  useEffect(() => {
    names.current = people;
  }, [people]);
  useEffect(() => {
    const nameOf = (user: UserId) => names.current.get(user)?.displayName ?? null;
    const announcer = new Announcer({
      announce,
      wordsOf,
      now: () => performance.now(),
      after,
    });
    const stops = [announceChanges(session, doc, nameOf, announcer), announcePeople(session, nameOf, announcer)];
    return () => {
      announcer.stop();
      for (const stop of stops) stop();
    };
  }, [session, doc, announce]);
  return region;
}

function announceChanges(session: Session, doc: Y.Doc, nameOf: (user: UserId) => string | null, announcer: Announcer) {
  const body = bodyOf(doc);
  const onTransaction = (transaction: Y.Transaction) => {
    if (transaction.local) {
      if (transaction.changed.size > 0) announcer.typed();
      return;
    }
    // Only blocks that existed before: walking through the page for each remote character would cost time that grows with
    // the page.
    const blocks = [...transaction.changedParentTypes.keys()].filter((type) => type.parent === body);
    if (blocks.length === 0 && !new Set<unknown>(transaction.changed.keys()).has(body)) return;
    const { peers } = session.getView();
    const authors = new Set((remoteDeletions(transaction) ?? []).map(({ by }) => by));
    // The user's own edits in another tab are not announced.
    const users = [...authors].map((by) => peers.find((peer) => peer.session === by)?.user ?? null);
    const others = users.filter((user) => user !== session.user);
    if (users.length > 0 && others.length === 0) return;
    for (const user of others.length === 0 ? [null] : others) {
      const who = user === null ? null : nameOf(user);
      for (const block of blocks.length === 0 ? [null] : blocks) announcer.changed(who, block);
    }
  };
  doc.on('afterTransaction', onTransaction);
  return () => doc.off('afterTransaction', onTransaction);
}

function after(ms: number, run: () => void): Cancel {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function announcePeople(session: Session, nameOf: (user: UserId) => string | null, announcer: Announcer) {
  const here = () => new Set(session.getView().peers.flatMap(({ user }) => user ?? []));
  let known = here();
  /** The users whose arrival was announced, with the announced name. */
  const announced = new Map<UserId, string>();
  /** Users who arrived and whose name is being fetched. */
  const waitingForName = new Map<UserId, Cancel>();
  const announceArrival = (user: UserId) => {
    waitingForName.delete(user);
    const name = nameOf(user) ?? UNKNOWN_NAME;
    announced.set(user, name);
    announcer.arrived(name);
  };
  const stop = session.subscribe(() => {
    const now = here();
    // While a topic is left and joined again, it lists no one. That does not mean they left.
    if (now.size === 0 || session.getView().connection !== 'live') return;
    for (const user of now) {
      if (known.has(user) || user === session.user || announced.has(user)) continue;
      if (nameOf(user) === null)
        waitingForName.set(
          user,
          after(MAX_NAME_WAIT_MS, () => announceArrival(user)),
        );
      else announceArrival(user);
    }
    for (const user of known) {
      if (now.has(user) || user === session.user) continue;
      const waiting = waitingForName.get(user);
      waiting?.();
      waitingForName.delete(user);
      // If they left before their arrival was announced, neither is.
      if (waiting === undefined) announcer.left(nameOf(user) ?? announced.get(user) ?? UNKNOWN_NAME);
      announced.delete(user);
    }
    known = now;
  });
  return () => {
    stop();
    for (const cancel of waitingForName.values()) cancel();
  };
}

function wordsOf(block: object): string {
  const item = block instanceof Y.AbstractType ? block._item : null;
  return item === null || item.deleted ? '' : textOfPart({ first: item, length: 1 });
}
