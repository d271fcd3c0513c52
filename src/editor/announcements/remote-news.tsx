// Says for assistive technology what others do on the page: who came and went, what they changed. What is said and when is
// decided by `change-news.ts`.
import { useEffect, useRef, useState } from 'react';
import * as Y from 'yjs';
import { bodyOf } from '../../document/names.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { UserId } from '../../protocol/ids.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { remoteDeletions } from '../../sync/updates/remote-deletions.ts';
import type { ProfilesById } from '../carets/caret-layer.ts';
import { type ChangeNews, changeNews } from './change-news.ts';

/** Whoever opens a page is asked for by name then. */
const NAME_WITHIN_MS = 2_000;
const SOMEBODY = 'Somebody';

type RemoteNewsProps = { readonly session: Session; readonly doc: Y.Doc; readonly people: ProfilesById };

export function RemoteNews({ session, doc, people }: RemoteNewsProps) {
  const [said, setSaid] = useState('');
  const names = useRef(people);
  useEffect(() => {
    names.current = people;
  }, [people]);
  useEffect(() => {
    const nameOf = (user: UserId) => names.current.get(user)?.displayName ?? null;
    const news = changeNews({
      say: setSaid,
      wordsOf,
      now: () => performance.now(),
      after,
    });
    const stops = [tellChanges(session, doc, nameOf, news), tellPeople(session, nameOf, news)];
    return () => {
      news.stop();
      for (const stop of stops) stop();
    };
  }, [session, doc]);
  return (
    <p className="sr" role="log" aria-live="polite" aria-label="What others do">
      {said}
    </p>
  );
}

function tellChanges(session: Session, doc: Y.Doc, nameOf: (user: UserId) => string | null, news: ChangeNews) {
  const body = bodyOf(doc);
  const onTransaction = (transaction: Y.Transaction) => {
    if (transaction.local) {
      if (transaction.changed.size > 0) news.typed();
      return;
    }
    // Only blocks that were there before: walking the page for each letter of others would cost its length.
    const blocks = [...transaction.changedParentTypes.keys()].filter((type) => type.parent === body);
    if (blocks.length === 0 && !new Set<unknown>(transaction.changed.keys()).has(body)) return;
    const { peers } = session.getView();
    const authors = new Set((remoteDeletions(transaction) ?? []).map(({ by }) => by));
    // Nobody is told of their own other tab.
    const users = [...authors].map((by) => peers.find((peer) => peer.session === by)?.user ?? null);
    const others = users.filter((user) => user !== session.user);
    if (users.length > 0 && others.length === 0) return;
    for (const user of others.length === 0 ? [null] : others) {
      const who = user === null ? null : nameOf(user);
      for (const block of blocks.length === 0 ? [null] : blocks) news.changed(who, block);
    }
  };
  doc.on('afterTransaction', onTransaction);
  return () => doc.off('afterTransaction', onTransaction);
}

function after(ms: number, run: () => void): Cancel {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function tellPeople(session: Session, nameOf: (user: UserId) => string | null, news: ChangeNews) {
  const here = () => new Set(session.getView().peers.map(({ user }) => user));
  let known = here();
  /** Whose coming was told, with the name it was told by. */
  const told = new Map<UserId, string>();
  /** Who came and whose name is being fetched. */
  const nameless = new Map<UserId, Cancel>();
  const tell = (user: UserId) => {
    nameless.delete(user);
    const name = nameOf(user) ?? SOMEBODY;
    told.set(user, name);
    news.came(name);
  };
  const stop = session.subscribe(() => {
    const now = here();
    // A topic that is left and joined again names nobody in between: that is no leaving of theirs.
    if (now.size === 0 || session.getView().connection !== 'live') return;
    for (const user of now) {
      if (known.has(user) || user === session.user || told.has(user)) continue;
      if (nameOf(user) === null)
        nameless.set(
          user,
          after(NAME_WITHIN_MS, () => tell(user)),
        );
      else tell(user);
    }
    for (const user of known) {
      if (now.has(user) || user === session.user) continue;
      const waiting = nameless.get(user);
      waiting?.();
      nameless.delete(user);
      // Gone before anybody was told that they came.
      if (waiting === undefined) news.left(nameOf(user) ?? told.get(user) ?? SOMEBODY);
      told.delete(user);
    }
    known = now;
  });
  return () => {
    stop();
    for (const cancel of nameless.values()) cancel();
  };
}

/** The first words of a node, of whichever of its texts has some. */
function wordsOf(block: object): string {
  if (block instanceof Y.XmlText) {
    return block.toDelta().reduce((words: string, piece: { insert?: unknown }) => {
      return typeof piece.insert === 'string' ? words + piece.insert : words;
    }, '');
  }
  if (!(block instanceof Y.XmlElement) || block._item?.deleted === true) return '';
  for (const child of block.toArray()) {
    const words = wordsOf(child);
    if (words !== '') return words;
  }
  return '';
}
