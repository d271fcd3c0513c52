// The actions that the reader of a page's history has: restore, undo a person's edits, copy, export and name. Some ask first.
import { useEffect, useRef, useState } from 'react';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import type { HistoryFailure, PageHistory } from '../../ports/history.ts';
import { toast } from '../../ui/floating/toast.tsx';
import type { HistorySource, Restoring } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { inSentence } from './moments.ts';
import type { Restore, Restores } from './restore/block-tools.tsx';
import { isSameAsBlock, restorableBlock, restorableWords } from './restore/restorable.ts';
import { withoutPerson } from './restore/without-person.ts';
import type { MomentState } from './shown/shown-moment.ts';
import type { ShownPage } from './shown/shown-page.ts';
import type { VersionEntry } from './versions/version-entries.ts';
import { type Who, possessive } from './who.ts';

/** An action that waits for the reader's answer, in a dialog or in the bar above the page. */
type Asked =
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

type ActionOptions = {
  readonly source: HistorySource;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly head: number;
  /** The time of a row, in words. */
  readonly momentAt: (seq: number) => string;
};

const NO_RESTORES: Restores = { words: null, block: null };
/** An answer that takes longer is announced. */
const SLOW_MS = 400;

export function useHistoryActions({ source: { editing }, tools, history, head, momentAt }: ActionOptions) {
  const [asked, setAsked] = useState<Asked>(null);
  // Counts the questions and what ends them: a late answer must not open over what the reader went on to.
  const questions = useRef(0);
  const ask = (next: Asked) => {
    questions.current += 1;
    setAsked(next);
  };
  const undoing = asked?.what === 'undo' ? asked : null;
  const restores = restoreActions({ editing, history, head, momentAt });
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      questions.current += 1;
    };
  }, []);

  const copy = async (of: number) => {
    const file = await history.fileAt(of);
    if (isGone.current) return;
    if (file.ok) await tools.onCopy?.(file.value);
    else toast('This version can’t be copied.');
  };
  const exportAs = async (of: number, format: string) => {
    const file = await history.fileAt(of);
    if (isGone.current) return;
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
    else if (found?.error === 'tooSlow') toast('This can’t be undone here: the page takes too long to compute.');
    else toast('This can’t be undone here.');
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
    restoreWithout: restores.without,
  };
}

export type HistoryActions = ReturnType<typeof useHistoryActions>;

type RestoreOptions = Pick<ActionOptions, 'history' | 'head' | 'momentAt'> & Pick<HistorySource, 'editing'>;

/** The restores on offer, each as the action of a button. */
function restoreActions({ editing, history, head, momentAt }: RestoreOptions) {
  const restoring =
    (request: Restoring): Restore =>
    () =>
      editing?.restore(request) ?? Promise.resolve(null);
  return {
    ofPage: (seq: number): Restore =>
      restoring({
        file: () => history.fileAt(seq),
        what: { type: 'page' },
        done: `Restored the version from ${inSentence(momentAt(seq))}.`,
      }),
    /** `key` is the block in the shown page, `step` the change in it that the reader is at. */
    ofBlock({ found }: MomentState, shown: ShownPage | null, key: string, step: number | null): Restores {
      if (editing === null || shown === null) return NO_RESTORES;
      const words = restorableWords(found, shown, key, step);
      const block = words !== null && isSameAsBlock(found, key, head) ? null : restorableBlock(found, key, head);
      return {
        words:
          words &&
          restoring({
            file: () => history.fileAt(words.seq),
            what: { type: 'words', words: words.words },
            done: 'Words restored.',
          }),
        block:
          block &&
          restoring({
            file: () => history.fileAt(block.seq),
            what: { type: 'block', id: block.id },
            done: 'Block restored.',
          }),
      };
    },
    /** The page without what a person wrote after the row `since`. */
    without: (who: Who, since: number): Restore =>
      restoring({
        file: () => fileWithout(history, who, since),
        what: { type: 'page' },
        done: `${capitalized(possessive(who))} edits are undone.`,
      }),
  };
}

/** `words` is null if the page is too long to compare: it may have changed then. */
const isUnchanged = ({ steps, words, titleBefore }: ShownPage): boolean =>
  words !== null && titleBefore === null && steps.length === 0;

/** Computed again for the action itself: others may have written since the preview. */
async function fileWithout(
  history: PageHistory,
  { id }: Who,
  since: number,
): Promise<Result<PageFile, HistoryFailure>> {
  const answer = id === null ? err('failed' as const) : await history.without(id, since);
  return answer.ok ? ok(answer.value.file) : answer;
}
