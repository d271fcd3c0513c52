// The drawn part of each block's history. A block whose history says the same keeps its object, so that React skips it:
// without that, a step through a page of 1,000 marked blocks draws all of them anew.
import { useState } from 'react';
import type { BlockHistory, HistoryMark, ShownHistory } from '../../../editor/changes/shown-changes.ts';
import type { ShownPage } from './shown-page.ts';

type Kept = ReadonlyMap<string, { readonly says: string; readonly history: BlockHistory }>;
type Shown = { readonly page: ShownPage; readonly current: number | null; readonly picked: string | null };

const NONE: readonly HistoryMark[] = [];

export function useBlockHistories(page: ShownPage, current: number | null, picked: string | null): ShownHistory {
  const [last, setLast] = useState(() => next(new Map(), { page, current, picked }));
  const { shown } = last;
  if (shown.page === page && shown.current === current && shown.picked === picked) return last.histories;
  const now = next(last.kept, { page, current, picked });
  setLast(now);
  return now.histories;
}

function next(before: Kept, shown: Shown) {
  const kept = blockHistories(before, shown);
  const histories: ShownHistory = new Map(Array.from(kept, ([key, { history }]) => [key, history] as const));
  return { shown, kept, histories };
}

export function blockHistories(before: Kept, { page, current, picked }: Shown): Kept {
  return new Map(
    page.blocks.map(({ key }) => {
      const marks = page.marks.get(key) ?? NONE;
      const history: BlockHistory = {
        marks,
        look: page.blockLooks.get(key) ?? null,
        current: current !== null && marks.some(({ step }) => step === current) ? current : null,
        isPicked: key === picked,
        note: page.notes.get(key) ?? null,
      };
      const says = JSON.stringify(history);
      const known = before.get(key);
      return [key, known?.says === says ? known : { says, history }] as const;
    }),
  );
}
