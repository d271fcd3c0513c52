// The page's title at a version, with what was removed from it and added to it.
import type { Run } from 'weft-document/blocks/block.ts';
import { plainRun } from 'weft-document/blocks/detached-block.ts';
import { compareRuns } from 'weft-document/changes/text-changes.ts';
import { WorkBudget } from '../../../lib/work-budget.ts';
import { shownTitle } from '../../../texts/content-texts.ts';

const runsOf = (text: string): readonly Run[] => (text === '' ? [] : [plainRun(text)]);

/** `before`: the title that it is compared with; null if that is the same one, or nothing is compared. */
export function TitleOfVersion({ title, before }: { readonly title: string; readonly before: string | null }) {
  return (
    <h1 className="page-title" dir="auto">
      {before === null ? shownTitle(title) : <ChangedTitle title={title} before={before} />}
    </h1>
  );
}

function ChangedTitle({ title, before }: { readonly title: string; readonly before: string }) {
  const { inserted, removed } = compareRuns(runsOf(before), runsOf(title), new WorkBudget());
  const cuts = Array.from(
    new Set([0, ...inserted.flatMap(({ from, to }) => [from, to]), ...removed.map(({ at }) => at), title.length]),
  ).sort((one, other) => one - other);
  return cuts.map((from, at) => {
    const text = title.slice(from, cuts[at + 1] ?? from);
    const gone = removed.find((one) => one.at === from)?.text;
    const isNew = inserted.some((range) => range.from <= from && from < range.to);
    return (
      <span key={from}>
        {gone !== undefined && <del className="removed">{gone}</del>}
        {isNew ? <ins className="added">{text}</ins> : text}
      </span>
    );
  });
}
