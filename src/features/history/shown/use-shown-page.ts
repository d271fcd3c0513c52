// The page as the reader wishes to see it, as soon as the worker has answered.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Deed, PageHistory } from '../../../ports/history.ts';
import { passedOnAs } from '../../../state/people/author-name.ts';
import { momentOf } from '../moments.ts';
import type { WhoIs } from '../who.ts';
import { authorsPage } from './authors-page.ts';
import { changesPage } from './changes-page.ts';
import { type SaysWho, type ShownPage, oncePerDeed, plainPage } from './shown-page.ts';
import { type MomentState, ShownMoment, type Wish } from './shown-moment.ts';

export function useShownPage(
  history: PageHistory,
  { mode, seq, from, beginning }: Wish,
  whoIs: WhoIs,
  now: number,
): { readonly shown: ShownPage | null; readonly state: MomentState } {
  const moment = useMemo(() => new ShownMoment(history), [history]);
  useEffect(() => moment.show({ mode, seq, from, beginning }), [moment, mode, seq, from, beginning]);
  const state = useSyncExternalStore(moment.subscribe, moment.get);
  const { found } = state;
  const shown = useMemo(() => {
    if (found === null) return null;
    const saysWho = oncePerDeed((deed) => sayWho(deed, whoIs, now));
    switch (found.mode) {
      case 'changes':
        return changesPage(found.changes, saysWho, history.row(found.wish.seq)?.at ?? null);
      case 'authors':
        return authorsPage(found.authored, saysWho);
      case 'plain':
        return plainPage(found.page.title, found.page.blocks);
    }
  }, [history, found, whoIs, now]);
  return { shown, state };
}

function sayWho(deed: Deed | null, whoIs: WhoIs, now: number): ReturnType<SaysWho> {
  const { name, short, dye } = whoIs(deed?.by ?? null);
  if (deed === null) return { says: name, short, dye };
  const when = deed.at === null ? '' : `, ${momentOf(deed.at, now)}`;
  const { passedOnFrom } = deed;
  const as = passedOnFrom === undefined ? '' : `, ${passedOnAs(whoIs(passedOnFrom).name)}`;
  return { says: `${name}${when}${as}`, short, dye };
}
