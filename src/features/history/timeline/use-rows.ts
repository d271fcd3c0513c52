// What the timeline and the list of versions need to know of all rows, and the columns of the timeline.
import { useEffect, useMemo, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { PageHistory, TimelineColumn } from '../../../ports/history.ts';
import type { Beginning } from '../../../protocol/history-answers.ts';
import { editingSessionStarts } from './editing-session-bounds.ts';

export type Rows = { readonly starts: readonly number[]; readonly authors: readonly UserId[] };

/** The starts of editing sessions, and all authors in the order in which they first wrote. */
export function useRows(history: PageHistory, head: number): Rows {
  return useMemo(() => {
    const authors = new Set<UserId>();
    for (let seq = 1; seq <= head; seq++) {
      const { by = null, passedOnFrom = null } = history.row(seq) ?? {};
      for (const one of [by, passedOnFrom]) if (one !== null) authors.add(one);
    }
    return { starts: editingSessionStarts(history.row, head), authors: Array.from(authors) };
  }, [history, head]);
}

/** More could not be told apart on a wide screen. */
const COLUMNS = 160;
/** `beginning`: of the history that they were computed from. */
type Drawn = { readonly columns: readonly TimelineColumn[]; readonly beginning: Beginning | null };
const NOTHING: Drawn = { columns: [], beginning: null };

/** Asks again for new rows, and when the history began again. */
export function useColumns(history: PageHistory, head: number, beginning: Beginning | null): readonly TimelineColumn[] {
  const [drawn, setDrawn] = useState(NOTHING);
  useEffect(() => {
    let isCurrent = true;
    if (head === 0) return undefined;
    void history.timeline(COLUMNS).then((answer) => {
      if (isCurrent && answer.ok) setDrawn({ columns: answer.value, beginning });
    });
    return () => {
      isCurrent = false;
    };
  }, [history, head, beginning]);
  return drawn.columns;
}
