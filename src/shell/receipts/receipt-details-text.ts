// The text of the receipt's details: first where the edits are, then what went wrong. Pure; the caller passes the time.
import { weftError } from 'weft-sync/protocol/errors.ts';
import { counted } from '../../lib/text/counted.ts';
import { isKeptAsFile } from '../../state/page/page-view.ts';
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import { refusedCommentsText } from '../../texts/comment-texts.ts';
import { KEPT_AS_FILE_TEXT, textOf } from '../../texts/error-texts.ts';
import { refusedFilesText } from '../../texts/file-texts.ts';
import { timeOfDay } from './receipt-text.ts';

export type ReceiptDetailsText = {
  readonly title: string;
  readonly tone: 'calm' | 'held' | 'refused';
  readonly sentence: string | null;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly canRetry: boolean;
  readonly canDownload: boolean;
};

/** `startsOffline`: after closing this tab, the app can start again without the server. */
export function receiptDetailsText(view: ReceiptView, now: number, startsOffline = true): ReceiptDetailsText {
  const { receipt, unsent, lastSaved, error, refusedFiles, refusedComments } = view;
  const isPlural = unsent.edits !== 1;
  const saved = lastSaved === null ? null : `Last saved at ${timeOfDay(lastSaved.at, true)}.`;
  const waiting = waitingFacts(view, now);
  switch (receipt) {
    case 'opening':
      return calm('Loading page', null, []);
    case 'saved':
      return calm('Every edit is on the server', saved, [
        ...(view.lastN > 0 ? [['Your edits on this page', String(view.lastN)] as const] : []),
        ['Unsent edits', '0'],
        [
          'Others’ changes',
          view.connection === 'offline' ? 'unknown while offline' : view.upToDate ? 'up to date' : 'catching up',
        ],
      ]);
    case 'sending':
      if (view.isRestoring) return restoring(view, 'being put back', now);
      return {
        ...calm(`${counted(unsent.edits, 'edit')} on the way to the server`, saved, waiting),
        canRetry: true,
        canDownload: true,
      };
    case 'device':
      if (view.isRestoring) return restoring(view, 'put back when the server answers', now);
      return {
        title: `${counted(unsent.edits, 'edit')} ${isPlural ? 'are' : 'is'} on this device only`,
        tone: 'held',
        sentence: `${whyWaiting(view)} Until then only you can see ${isPlural ? 'them' : 'it'}. A crash or a power cut doesn’t lose ${isPlural ? 'them' : 'it'}.${startsOffline ? '' : KEEP_TAB_OPEN}`,
        facts: waiting,
        canRetry: true,
        canDownload: true,
      };
    case 'tab':
      return {
        title: `${counted(unsent.edits, 'edit')} ${isPlural ? 'exist' : 'exists'} only in this tab`,
        tone: 'held',
        sentence: textOf(weftError('WF012')),
        facts: waiting,
        canRetry: true,
        canDownload: true,
      };
    case 'refused':
      if (refusedFiles !== undefined) return partRefused(refusedFiles, 'file', refusedFilesText(refusedFiles), unsent);
      if (refusedComments !== undefined)
        return partRefused(refusedComments, 'comment', refusedCommentsText(refusedComments), unsent);
      if (isKeptAsFile(view)) {
        return { ...calm('Earlier edits are kept as a file', KEPT_AS_FILE_TEXT, []), tone: 'held', canDownload: true };
      }
      return {
        title: `${counted(unsent.edits, 'edit')} ${isPlural ? 'were' : 'was'} refused`,
        tone: 'refused',
        sentence: `${error === null ? textOf(weftError('WF005')) : textOf(error)} ${isPlural ? 'They stay' : 'It stays'} on this device until you decide.`,
        facts: [],
        canRetry: false,
        canDownload: true,
      };
    case 'readonly':
      return { ...calm(textOf(error ?? weftError('WF002')), saved, []), canDownload: unsent.edits > 0 };
  }
}

/** Without https, browsers have no service worker to start the app. */
const KEEP_TAB_OPEN = ' Leave this tab open: over plain http Weft can’t start without the server.';

/** For the case that only files or comments were refused. Text edits may still wait, but none was refused. */
const partRefused = (
  count: number,
  what: 'file' | 'comment',
  text: string,
  unsent: ReceiptView['unsent'],
): ReceiptDetailsText => ({
  title: `${counted(count, what)} ${count === 1 ? 'was' : 'were'} refused`,
  tone: 'refused',
  sentence: `${text} ${count === 1 ? 'It stays' : 'They stay'} on this device until you decide.`,
  facts: [],
  canRetry: false,
  canDownload: what === 'comment' || unsent.edits > count,
});

const restoring = ({ puttingBack, retryAt }: ReceiptView, how: string, now: number): ReceiptDetailsText => ({
  ...calm(...restoringText(puttingBack, how), tryFacts(retryAt, now)),
  canRetry: true,
  canDownload: true,
});

/** Until the device knows that the server lacks something, the text does not say that anything was lost or erased. */
function restoringText(puttingBack: ReceiptView['puttingBack'], how: string): readonly [title: string, text: string] {
  switch (puttingBack?.after) {
    case undefined:
      return ['Checking this page', `This device compares the page with the server. What is missing there is ${how}.`];
    case 'erasing':
      return [
        'Unsent edits are put back',
        `Words were erased from this page for good. Your unsent edits were kept and are ${how}.`,
      ];
    case 'restore':
      return ['Lost edits are put back', `${textOf(weftError('WF016'))} What it had lost is ${how}.`];
  }
}

const calm = (title: string, sentence: string | null, facts: ReceiptDetailsText['facts']): ReceiptDetailsText => ({
  title,
  tone: 'calm',
  sentence,
  facts,
  canRetry: false,
  canDownload: false,
});

function whyWaiting({ error, connection, unsent }: ReceiptView): string {
  if (error?.code === 'WF003' || error?.code === 'WF018' || error?.code === 'WF019') return textOf(error);
  const theseAre = unsent.edits === 1 ? 'This edit is' : 'These edits are';
  if (connection === 'offline') return `Can’t reach the server. ${theseAre} sent when you’re back online.`;
  return `${theseAre} sent when the server answers.`;
}

function waitingFacts({ unsent, retryAt }: ReceiptView, now: number): ReceiptDetailsText['facts'] {
  const facts: (readonly [string, string])[] = [];
  if (unsent.oldestAt !== null) facts.push(['Oldest', `from ${timeOfDay(unsent.oldestAt, true)}`]);
  return [...facts, ...tryFacts(retryAt, now)];
}

const tryFacts = (retryAt: number | null, now: number): ReceiptDetailsText['facts'] =>
  retryAt === null ? [] : [['Next try', retryAt > now ? `in ${Math.ceil((retryAt - now) / 1_000)} s` : 'now']];
