// The actions that the reader asks for in the page's history, and the dialogs that some of them need first.
import { useRef, useState } from 'react';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { HistoryFailure, PageHistory } from '../../ports/history.ts';
import { toast } from '../../ui/floating/toast.tsx';
import type { HistorySource } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { inSentence } from './moments.ts';
import type { Restore, Restores } from './restore/block-tools.tsx';
import { isSameAsBlock, restorableWords } from './restore/restorable-words.ts';
import { restorableBlock } from './restore/restorable-block.ts';
import type { Restoring } from './restore/use-restore.ts';
import { withoutPerson } from './restore/without-person.ts';
import type { MomentState } from './shown/shown-moment.ts';
import type { ShownPage } from './shown/shown-page.ts';
import type { VersionEntry } from './versions/version-entries.ts';
import type { Who } from './who.ts';

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

const NO_RESTORES: Restores = { words: null, block: null };

export function useAsked({ source: { editing }, tools, history, head, momentAt }: AskedOptions) {
  const [asked, setAsked] = useState<Asked>(null);
  // Counts the questions and what ends them: a late answer must not open over what the reader went on to.
  const questions = useRef(0);
  const ask = (next: Asked) => {
    questions.current += 1;
    setAsked(next);
  };
  const undoing = asked?.what === 'undo' ? asked : null;
  const restore = (wish: Restoring): Promise<string | null> => editing?.restore(wish) ?? Promise.resolve(null);

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
  /** Computed again for the action itself: others may have written since the dialog showed it. */
  const fileWithout = async ({ id }: Who, since: number): Promise<Result<PageFile, HistoryFailure>> => {
    const answer = id === null ? err('failed' as const) : await history.without(id, since);
    return answer.ok ? ok(answer.value.file) : answer;
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
    restorePage:
      (seq: number): Restore =>
      () =>
        restore({
          file: () => history.fileAt(seq),
          what: { type: 'page' },
          done: `Restored the version from ${inSentence(momentAt(seq))}.`,
        }),
    restoresOf: ({ found }: MomentState, shown: ShownPage | null, key: string, step: number | null): Restores => {
      if (editing === null || undoing !== null || shown === null) return NO_RESTORES;
      const words = restorableWords(found, shown, key, step);
      const block = words !== null && isSameAsBlock(found, key, head) ? null : restorableBlock(found, key, head);
      return {
        words:
          words &&
          (() =>
            restore({
              file: () => history.fileAt(words.seq),
              what: { type: 'words', words: words.words },
              done: 'Words restored.',
            })),
        block:
          block &&
          (() =>
            restore({
              file: () => history.fileAt(block.seq),
              what: { type: 'block', id: block.id },
              done: 'Block restored.',
            })),
      };
    },
    undo:
      ({ who, sinceSeq }: NonNullable<typeof undoing>): Restore =>
      () =>
        restore({
          file: () => fileWithout(who, sinceSeq),
          what: { type: 'page' },
          done: `${capitalized(possessive(who))} edits are undone.`,
        }),
  };
}

export type AskedHistory = ReturnType<typeof useAsked>;

/** `words` is null without a comparison. */
const isUnchanged = ({ steps, words, titleBefore }: ShownPage): boolean =>
  words !== null && titleBefore === null && steps.length === 0;

export const possessive = ({ name, short }: Who): string => (name === 'you' ? 'your' : `${short}’s`);
