// One page that a search found: where it is, its title, up to two excerpts, who changed it last and when.
import { Link } from 'react-router';
import { capitalized } from '../../lib/text/capitalized.ts';
import { counted } from '../../lib/text/counted.ts';
import { dayOf, daysAgo, timeOf } from '../../lib/text/times.ts';
import type { SearchResult } from '../../protocol/search-answers.ts';
import { useAuthorNames, useListedPage, usePath, useProfiles, useValue, useWorkspace } from '../../state/hooks.ts';
import { UNTITLED, shownTitle } from '../../texts/content-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { TextWithMarks } from './marked-text.tsx';

type ResultRowProps = {
  readonly id: string | undefined;
  readonly result: SearchResult;
  readonly address: string;
  /** Enter in the search field opens this one. */
  readonly isChosen: boolean;
  /** The server does not answer, and the page is not on this device. */
  readonly isUnavailable: boolean;
  readonly onPoint: () => void;
};

const MINUTE_MS = 60_000;

export function ResultRow({ id, result, address, isChosen, isUnavailable, onPoint }: ResultRowProps) {
  const { workspace, listAtom } = useWorkspace();
  const name = useValue(listAtom).value?.workspace.name ?? workspace.name;
  const icon = useListedPage(result.document)?.icon ?? null;
  const path = usePath(result.document).map(({ title }) => shownTitle(title));
  const shown = [result.title, ...result.excerpts].reduce((sum, { marks }) => sum + marks.length, 0);
  const others = result.matches - shown;
  return (
    <li id={id} className="hit" data-chosen={isChosen || undefined} onPointerMove={isChosen ? undefined : onPoint}>
      <Link to={address}>
        <span className="hit-path">
          <bdi>{path.length === 0 ? name : path.join(' / ')}</bdi>
        </span>
        <span className="hit-title">
          <PageIcon icon={icon} />
          <bdi>{result.title.text === '' ? UNTITLED : <TextWithMarks {...result.title} />}</bdi>
        </span>
        {result.excerpts.map((excerpt) => (
          <span key={`${excerpt.text}${excerpt.marks[0]?.[0]}`} className="hit-excerpt" dir="auto">
            <TextWithMarks {...excerpt} />
          </span>
        ))}
        <span className="hit-by">
          <Author result={result} />
          <span className="grow" />
          {isUnavailable && <span>not on this device</span>}
          {others > 0 && <span>{counted(others, 'more match', 'more matches')} on this page</span>}
        </span>
      </Link>
    </li>
  );
}

function Author({ result: { by, at } }: { readonly result: SearchResult }) {
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const known = useProfiles();
  const profile = by === null ? undefined : known.get(by);
  const name = by === null ? 'deleted account' : nameOf(by);
  return (
    <>
      {profile !== undefined && (
        <PersonTag name={profile.displayName} color={profile.color} picture={profile.avatarPath} size="small" />
      )}
      <span>
        {name !== null && (
          <>
            <bdi>{capitalized(name)}</bdi>,{' '}
          </>
        )}
        {daysAgo(at, now) <= 0 ? `today at ${timeOf(at)}` : dayOf(at, now)}
      </span>
    </>
  );
}
