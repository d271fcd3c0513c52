// The pages that other people have open now, with their edits of the last hour: as a sentence and as a line for each
// person.
import { useState } from 'react';
import { Link } from 'react-router';
import { counted } from '../../lib/text/counted.ts';
import { timeOf } from '../../lib/text/times.ts';
import type { DocumentSummary, Profile } from '../../protocol/answers.ts';
import { isMemberRole } from '../../protocol/roles.ts';
import { useLiveTitles, usePerson, useValue, useWorkspace, useWorkspaceRole } from '../../state/hooks.ts';
import { isUnnamedGuest } from '../../state/people/author-name.ts';
import { othersOn } from '../../state/people/locations.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import type { WorkspaceHome } from '../../state/workspace/workspace-home.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { firstNameOf } from '../../ui/people/first-name.ts';
import { type Span, isEditing, spansOf, spansText } from './hour-chart.ts';

const MINUTE_MS = 60_000;
const MAX_PAGES = 8;
const MAX_LANES = 5;
const MAX_NAMES = 4;

/** A person who has a page open, and when they edited it in the last hour. */
type Here = { readonly person: Profile; readonly spans: readonly Span[] };

type OpenNowProps = { readonly pages: readonly DocumentSummary[]; readonly home: WorkspaceHome };

export function OpenNow({ pages, home }: OpenNowProps) {
  const { locationsAtom } = useWorkspace();
  const present = useValue(locationsAtom);
  const open = useOpenPages(pages, home);
  const [isLong, setLong] = useState(false);
  const isMember = isMemberRole(useWorkspaceRole());
  const count = new Set(open.flatMap(({ here }) => here.map(({ person }) => person.id))).size;
  // People with access to single pages only do not see where others are.
  if (!isMember) return null;
  return (
    <section className="open-now">
      <h2>
        Open now
        {count > 0 && <small className="tabular">{counted(count, 'person', 'people')}, last hour</small>}
      </h2>
      {open.length === 0 ? (
        <p className="quiet">
          {present === null
            ? 'You can’t see who is where while offline.'
            : 'No other member has a page open right now.'}
        </p>
      ) : (
        <>
          <ul className="loom">
            {(isLong ? open : open.slice(0, MAX_PAGES)).map(({ page, here }) => (
              <OpenPage key={page.id} page={page} here={here} />
            ))}
          </ul>
          <HourAxis />
        </>
      )}
      {!isLong && open.length > MAX_PAGES && (
        <Button size="small" onClick={() => setLong(true)}>
          Show {open.length - MAX_PAGES} more
        </Button>
      )}
    </section>
  );
}

/** Pages with the most people first. */
function useOpenPages(pages: readonly DocumentSummary[], home: WorkspaceHome) {
  const { identity } = usePerson();
  const { locationsAtom, presentAtom } = useWorkspace();
  const present = useValue(locationsAtom);
  const profiles = useValue(presentAtom);
  const { value } = useValue(home.atom);
  const now = useNow(MINUTE_MS);
  const chart = new Map(value?.summary.chart.map(({ document, people: editors }) => [document, editors]));
  return pages
    .flatMap((page) => {
      const users = othersOn(present, page.id, identity.id).flatMap((id) => profiles.get(id) ?? []);
      const here = users.map((person): Here => {
        const minutes = chart.get(page.id)?.find(({ user }) => user === person.id)?.minutes ?? [];
        return { person, spans: spansOf(minutes, value?.at ?? now, now) };
      });
      const sorted = here.toSorted((a, b) => Number(isEditing(b.spans)) - Number(isEditing(a.spans)));
      return here.length === 0 ? [] : [{ page, here: sorted }];
    })
    .sort((a, b) => b.here.length - a.here.length);
}

type OpenPageProps = { readonly page: DocumentSummary; readonly here: readonly Here[] };

function OpenPage({ page, here }: OpenPageProps) {
  const { workspace } = useWorkspace();
  const titles = useLiveTitles();
  const now = useNow(MINUTE_MS);
  const title = titles.get(page.id) ?? page.title;
  const edits = here.filter(({ spans }) => spans.length > 0);
  const hour = edits.map(({ person, spans }) => `${firstName(person)} edited ${spansText(spans, now)}`);
  return (
    <li>
      <div>
        <Link className="page-name" to={pagePath(workspace.slug, { id: page.id, title })}>
          <bdi>{shownTitle(title)}</bdi>
        </Link>
        <p>{sentenceOf(here)}</p>
        {hour.length > 0 && <p className="sr-only">Last hour: {hour.join(', ')}.</p>}
      </div>
      {/* The sentences say the same. */}
      <div className="lanes" aria-hidden="true">
        {here.slice(0, MAX_LANES).map(({ person, spans }) => (
          <div key={person.id} className="lane" data-dye={person.color}>
            <Hour spans={spans} />
            <b className="truncate" title={person.displayName}>
              <bdi>{firstName(person)}</bdi>
            </b>
          </div>
        ))}
        {here.length > MAX_LANES && <small>+{here.length - MAX_LANES}</small>}
      </div>
    </li>
  );
}

const MINUTES = 60;

/** Thick where the person edited, and a thin line from there until now: they have the page open. */
function Hour({ spans }: { readonly spans: readonly Span[] }) {
  const last = spans.at(-1)?.to ?? null;
  return (
    <span className="hour">
      {spans.map(({ from, to }) => (
        <u key={from} style={{ left: percent(from), width: percent(to - from) }} />
      ))}
      {last !== null && last < MINUTES && (
        <u data-reading="" style={{ left: percent(last), width: percent(MINUTES - last) }} />
      )}
      {last === null && <u data-reading="" data-fading="" style={{ left: percent(50), width: percent(10) }} />}
    </span>
  );
}

const percent = (minutes: number): string => `${(minutes / MINUTES) * 100}%`;

function HourAxis() {
  const now = useNow(MINUTE_MS);
  const time = (minutesAgo: number) => timeOf(now - minutesAgo * MINUTE_MS);
  return (
    <div className="hour-axis tabular" aria-hidden="true">
      <span>{time(MINUTES)}</span>
      <span>{time(MINUTES / 2)}</span>
      <span>now</span>
    </div>
  );
}

function sentenceOf(here: readonly Here[]): string {
  const editing = here.filter(({ spans }) => isEditing(spans)).map(({ person }) => firstName(person));
  const viewing = here.filter(({ spans }) => !isEditing(spans)).map(({ person }) => firstName(person));
  const parts = [
    ...(editing.length === 0 ? [] : [`${namesOf(editing)} ${editing.length === 1 ? 'is' : 'are'} editing`]),
    ...(viewing.length === 0 ? [] : [`${namesOf(viewing)} ${viewing.length === 1 ? 'has' : 'have'} it open`]),
  ];
  return `${parts.join(', ')}.`;
}

function namesOf(names: readonly string[]): string {
  const others = names.length - MAX_NAMES;
  const shown = others > 0 ? [...names.slice(0, MAX_NAMES), counted(others, 'other')] : names;
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(shown);
}

/** “Guest 2” keeps its number, to differ from other guests. */
const firstName = ({ displayName }: Profile): string =>
  isUnnamedGuest(displayName) ? displayName : firstNameOf(displayName);
