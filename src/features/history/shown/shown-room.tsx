// The main part of a page's history: the page as it was at a moment, below a bar that names the moment and steps through its
// changes. Clicking a block, or stepping to it, offers what can be restored of it.
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { scrollToChange, stepElement } from '../../../editor/changes/show-step.ts';
import { stepFrom } from '../../../editor/changes/step-keys.ts';
import type { PageFiles } from '../../../ports/files.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { BlockTools, type Restores } from '../restore/block-tools.tsx';
import { DrawnVersion } from './drawn-version.tsx';
import { MomentBar } from './moment-bar.tsx';
import type { MomentState } from './shown-moment.ts';
import type { ShownPage, ShownStep } from './shown-page.ts';

type ShownRoomProps = {
  /** The element that scrolls. */
  readonly room: RefObject<HTMLDivElement | null>;
  /** A note about the whole history that the reader needs. */
  readonly note: string | null;
  readonly document: DocumentId;
  readonly files: PageFiles;
  readonly shown: ShownPage | null;
  readonly state: MomentState;
  /** Another object for another moment, which ends the choice of a block. */
  readonly position: object | null;
  /** The bar's text: when it was. */
  readonly moment: string;
  /** The bar's smaller text: who wrote, how many words. */
  readonly details: readonly string[];
  /** The name of the version that it is compared with. Null: the one before. */
  readonly comparedWith: string | null;
  readonly onCompareWithBefore: () => void;
  /** The restorable parts of a block, by its key, and of the change in it that the reader is at. */
  readonly restoresOf: (key: string, step: number | null) => Restores;
  readonly isExportable: boolean;
  /** Replaces the bar of the moment. */
  readonly bar: ReactNode;
};

/** `current`: the index of the change that the reader is at. `picked`: the key of the block whose actions are offered. */
type Chosen = { readonly position: object | null; readonly current: number | null; readonly picked: string | null };

export function ShownRoom(props: ShownRoomProps) {
  const { room, note, document, files, shown, state, position, moment, details, comparedWith, bar } = props;
  const [chosen, setChosen] = useState<Chosen>({ position, current: null, picked: null });
  const { current, picked } = chosen.position === position ? chosen : { current: null, picked: null };
  const steps = shown?.steps ?? [];
  const here = current === null ? undefined : steps[current];
  /** From 1; 0 before the first step. */
  const at = here === undefined || current === null ? 0 : current + 1;
  const step = (by: 1 | -1) => {
    const next = stepFrom(at === 0 ? null : at - 1, steps.length, by);
    const to = steps[next];
    if (to === undefined) return;
    setChosen({ position, current: next, picked: to.key });
    scrollToChange(stepElement(room.current, to.step, to.key));
  };
  // Keys scroll it once it has the focus; there may be nothing inside that can take the focus.
  useEffect(() => {
    room.current?.setAttribute('tabindex', '0');
  }, [room]);
  const restores = picked === null ? null : props.restoresOf(picked, here?.step ?? null);
  const hasTools = restores !== null && (restores.words !== null || restores.block !== null);
  /** Goes to the change that was clicked on, or else to the block's first. A block without changes gets -1, which is no step. */
  const pick = (key: string | null, clicked: number | null) => {
    const isClicked = (one: ShownStep) => one.key === key && one.step === clicked;
    const found = steps.findIndex(isClicked);
    const index = found < 0 ? steps.findIndex((one) => one.key === key) : found;
    setChosen({ position, current: index, picked: key });
  };
  return (
    <div className="history-main" ref={room}>
      {note !== null && (
        <p className="history-note" role="status">
          {note}
        </p>
      )}
      {bar ?? (
        <MomentBar
          moment={moment}
          details={details}
          comparedWith={comparedWith}
          onCompareWithBefore={props.onCompareWithBefore}
          count={steps.length}
          at={at}
          onStep={step}
        />
      )}
      {state.failure !== null && (
        <p className="history-note" role="alert">
          {state.failure === 'tooSlow'
            ? 'This takes too long. Try “Plain”, or a later version.'
            : 'This version can’t be shown.'}
        </p>
      )}
      {shown === null ? (
        <div className="page-column">
          <Skeleton label="Loading the page" widths={['58%', '96%', '92%', '40%']} />
        </div>
      ) : (
        <DrawnVersion
          shown={shown}
          document={document}
          files={files}
          current={here?.step ?? null}
          picked={picked}
          onPick={pick}
          tool={hasTools ? <BlockTools {...restores} /> : null}
          isExportable={props.isExportable}
          isBusy={state.isBusy}
        />
      )}
      <p className="sr-only" role="status">
        {here === undefined ? '' : `Change ${at} of ${steps.length}. ${here.says}`}
      </p>
    </div>
  );
}
