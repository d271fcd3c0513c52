// The page as the reader asked for it, as soon as the worker has answered.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Contribution, PageHistory } from '../../../ports/history.ts';
import { passedOnAs } from '../../../state/people/author-name.ts';
import { momentOf } from '../moments.ts';
import type { WhoIs } from '../who.ts';
import { authorsPage } from './authors-page.ts';
import { changesPage } from './changes-page.ts';
import { type MomentState, ShownMoment, type MomentRequest } from './shown-moment.ts';
import { type SaysWho, type ShownPage, oncePerContribution, plainPage } from './shown-page.ts';

export function useShownPage(
  history: PageHistory,
  { mode, seq, from, beginning }: MomentRequest,
  whoIs: WhoIs,
  now: number,
): { readonly shown: ShownPage | null; readonly state: MomentState } {
  const moment = useMemo(() => new ShownMoment(history), [history]);
  useEffect(() => moment.show({ mode, seq, from, beginning }), [moment, mode, seq, from, beginning]);
  const state = useSyncExternalStore(moment.subscribe, moment.get);
  const { found } = state;
  const shown = useMemo(() => {
    if (found === null) return null;
    const saysWho = oncePerContribution((contribution) => sayWho(contribution, whoIs, now));
    switch (found.mode) {
      case 'changes':
        return changesPage(found.changes, saysWho, history.row(found.request.seq)?.at ?? null);
      case 'authors':
        return authorsPage(found.authored, saysWho);
      case 'plain':
        return plainPage(found.page.title, found.page.blocks);
    }
  }, [history, found, whoIs, now]);
  return { shown, state };
}

function sayWho(contribution: Contribution | null, whoIs: WhoIs, now: number): ReturnType<SaysWho> {
  const { name, short, dye } = whoIs(contribution?.by ?? null);
  if (contribution === null) return { says: name, short, dye };
  const when = contribution.at === null ? '' : `, ${momentOf(contribution.at, now)}`;
  const { passedOnFrom } = contribution;
  const as = passedOnFrom === undefined ? '' : `, ${passedOnAs(whoIs(passedOnFrom).name)}`;
  return { says: `${name}${when}${as}`, short, dye };
}
