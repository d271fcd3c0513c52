// The line above the page while someone previews undoing a person's edits.
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { wordsText } from '../moments.ts';
import type { ShownPage } from '../shown/shown-page.ts';
import { type Who, possessive } from '../who.ts';

type UndoBarProps = {
  readonly who: Who;
  /** "yesterday, 17:05". */
  readonly since: string;
  /** The page without these edits. */
  readonly shown: ShownPage;
  /** Resolves with an error text, or null. */
  readonly onUndo: () => Promise<string | null>;
  readonly onCancel: () => void;
};

export function UndoBar({ who, since, shown: { words }, onUndo, onCancel }: UndoBarProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const undo = async () => {
    setBusy(true);
    setProblem(await onUndo());
    setBusy(false);
  };
  const changed = words === null ? null : wordsText(words.inserted, words.removed);
  return (
    <div className="undo-bar" role="group" aria-label="Undo a person’s edits">
      <p className="grow" role="status">
        The page without {possessive(who)} edits since {since}
        {changed === null ? '' : ` · ${changed}`}. Others’ edits stay.
        {problem !== null && <b> {problem}</b>}
      </p>
      <Button onClick={onCancel}>Cancel</Button>
      <Button look="primary" disabled={isBusy} onClick={() => void undo()}>
        Undo these edits
      </Button>
    </div>
  );
}
