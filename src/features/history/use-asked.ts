// The actions that the reader asks for in the page's history, and the dialogs that some of them need first.
import { useRef, useState } from 'react';
import type { PageHistory } from '../../ports/history.ts';
import { toast } from '../../ui/floating/toast.tsx';
import type { HistorySource } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { inSentence } from './moments.ts';
import type { Restore, Restores } from './restore/block-tools.tsx';
import { NO_RESTORES, restoreActions } from './restore/restore-actions.ts';
import { withoutPerson } from './restore/without-person.ts';
import type { ShownPage } from './shown/shown-page.ts';
import type { VersionEntry } from './versions/version-entries.ts';
import { type Who, possessive } from './who.ts';

/** An action that waits for the reader's answer in a dialog. */
export type Asked =
  | { readonly what: 'name'; readonly entry: VersionEntry }
  | { readonly what: 'restore'; readonly seq: number }
  | {
      readonly what: 'undo';
      readonly who: Who;
      readonly sinceSeq: number;
      readonly since: string;
      readonly shown: ShownPage;
    }
  | null;

type AskedOptions = {
  readonly source: HistorySource;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly head: number;
  readonly momentAt: (seq: number) => string;
};

/** An answer that takes longer is announced. */
const SLOW_MS = 400;

export function useAsked({ source: { editing }, tools, history, head, momentAt }: AskedOptions) {
  const [asked, setAsked] = useState<Asked>(null);
  // Counts the questions and what ends them: a late answer must not open over what the reader went on to.
  const questions = useRef(0);
  const ask = (next: Asked) => {
    questions.current += 1;
    setAsked(next);
  };
  const undoing = asked?.what === 'undo' ? asked : null;
  const restores = restoreActions({ editing, history, head, momentAt });

  const copy = async (of: number) => {
    const file = await history.fileAt(of);
    if (file.ok) await tools.onCopy?.(file.value);
    else toast('This version can’t be copied.');
  };
  const exportAs = async (of: number, format: string) => {
    const file = await history.fileAt(of);
    if (file.ok) tools.onExport(file.value, format);
    else toast('This version can’t be exported.');
  };
  const askUndo = async (who: Who, since: number) => {
    ask(null);
    const mine = questions.current;
    const announcement = setTimeout(() => toast(`Looking for ${possessive(who)} edits…`), SLOW_MS);
    const found = who.id === null ? null : await withoutPerson(history, who.id, since, head);
    clearTimeout(announcement);
    if (mine !== questions.current) return;
    const when = inSentence(momentAt(since + 1));
    if (found?.ok === true && isUnchanged(found.value))
      toast(`Nothing is left of ${possessive(who)} edits since ${when}.`);
    else if (found?.ok === true) ask({ what: 'undo', who, sinceSeq: since, since: when, shown: found.value });
    else toast('This can’t be undone here: the page takes too long to compute.');
  };
  return {
    asked,
    setAsked: ask,
    undoing,
    copy: tools.onCopy === null ? null : (of: number) => void copy(of),
    exportAs: (of: number, format: string) => void exportAs(of, format),
    askUndo: (who: Who, since: number) => void askUndo(who, since),
    /** Null for people who may not edit, and for the page as it is now. */
    askRestore: (of: number) => (editing !== null && of < head ? () => ask({ what: 'restore', seq: of }) : null),
    restorePage: restores.ofPage,
    restoresOf: (...block: Parameters<typeof restores.ofBlock>): Restores =>
      undoing === null ? restores.ofBlock(...block) : NO_RESTORES,
    undo: ({ who, sinceSeq }: NonNullable<typeof undoing>): Restore => restores.without(who, sinceSeq),
  };
}

export type AskedHistory = ReturnType<typeof useAsked>;

/** `words` is null without a comparison. */
const isUnchanged = ({ steps, words, titleBefore }: ShownPage): boolean =>
  words !== null && titleBefore === null && steps.length === 0;
