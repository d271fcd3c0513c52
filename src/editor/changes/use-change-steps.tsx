// The changes since a visit on a page that is shown: their marks, kept in place while the page changes, and the bar that
// steps through them.
import { type ReactNode, useMemo, useState } from 'react';
import type { Block } from 'weft-document/blocks/block.ts';
import type { ChangeSteps } from 'weft-document/changes/change-steps.ts';
import { PlacedMarks } from 'weft-document/changes/placed-marks.ts';
import { daysAgo, shortDate, timeOf } from '../../lib/text/times.ts';
import type { LostSinceVisit } from '../../ports/changes.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { ChangeStepper } from './change-stepper.tsx';
import type { ShownChanges } from './shown-changes.ts';
import { stepFrom } from './step-keys.ts';

export type VisitChanges = {
  /** The same object until the changes are looked for anew, as after words were erased for good. */
  readonly found: ChangeSteps & { readonly visitAt: number; readonly lost?: readonly LostSinceVisit[] };
  /** The time of a block's change, and the name if the reader may know it, by block. */
  readonly labels: ReadonlyMap<string, string>;
};

const MINUTE_MS = 60_000;

type ShownSteps = { readonly shown: ShownChanges | null; readonly stepper: ReactNode };

const NOTHING: ShownSteps = { shown: null, stepper: null };

/** `showStep` scrolls to a step, or to its block if the step is not drawn. */
export function useChangeSteps(
  changes: VisitChanges | null,
  blocks: readonly Block[],
  showStep: (step: number, key: string) => void,
): ShownSteps {
  const [current, setCurrent] = useState<number | null>(null);
  const now = useNow(MINUTE_MS);
  const [closed, setClosed] = useState<VisitChanges['found'] | null>(null);
  const found = changes?.found ?? null;
  const open = found === closed ? null : found;
  const placed = useMemo(() => open && new PlacedMarks(open), [open]);
  const marks = useMemo(() => placed?.on(blocks) ?? null, [placed, blocks]);
  const steps = useMemo(() => (marks === null ? [] : stepsOn(marks)), [marks]);
  const labels = changes?.labels;
  const shown = useMemo(
    () => (marks === null || labels === undefined ? null : { marks, labels, current }),
    [marks, labels, current],
  );
  if (open === null || steps.length === 0) return NOTHING;

  const at = current === null ? 0 : steps.findLastIndex((step) => step <= current) + 1;
  const goBy = (by: 1 | -1) => {
    const step = steps[stepFrom(at === 0 ? null : at - 1, steps.length, by)] ?? 0;
    setCurrent(step);
    showStep(step, open.steps[step]?.key ?? '');
  };
  // The block of the present step may be deleted by now.
  const here = current === null || !steps.includes(current) ? undefined : open.steps[current];
  const label = here === undefined ? undefined : labels?.get(here.key);
  const says =
    here === undefined
      ? null
      : `Change ${at} of ${steps.length}${label === undefined ? '' : `, ${label}`}. ${here.says}`;
  return {
    shown,
    stepper: (
      <ChangeStepper
        at={at}
        count={steps.length}
        isCut={open.isCut}
        since={sinceOf(open.visitAt, now)}
        says={says}
        onStep={goBy}
        onClose={() => setClosed(open)}
      />
    ),
  };
}

/** The steps that are still there, in order: a block with a mark may be deleted meanwhile. */
const stepsOn = (marks: ShownChanges['marks']): readonly number[] =>
  Array.from(new Set(Array.from(marks.values()).flatMap((all) => all.map(({ step }) => step)))).sort((a, b) => a - b);

/** "18:40", "yesterday" and "18:40", "Friday" and "18:40", "14 November". */
function sinceOf(at: number, now: number): { readonly day: string; readonly time: string | null } {
  const days = daysAgo(at, now);
  return { day: shortDate(at, now), time: days > 0 && days < 7 ? timeOf(at) : null };
}
