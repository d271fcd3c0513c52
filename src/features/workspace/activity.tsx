// The activity in the workspace, the newest first.
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { counted } from '../../lib/text/counted.ts';
import { timeOf } from '../../lib/text/times.ts';
import {
  ProfilesContext,
  useAuthorNames,
  useCompany,
  useLiveTitles,
  useProfiles,
  useValue,
  useWorkspace,
} from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import type { WorkspaceHome } from '../../state/workspace/workspace-home.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { type ActivityLine, activityDays } from './activity-lines.ts';

const MINUTE_MS = 60_000;
/** The screen shows lines for this many entries before someone asks for more. */
const FIRST_ENTRIES = 12;

export function Activity({ home }: { readonly home: WorkspaceHome }) {
  const { value, error, hasMore, isLoadingMore } = useValue(home.atom);
  const [isLong, setLong] = useState(false);
  const now = useNow(MINUTE_MS);
  const all = value?.activity ?? [];
  const entries = all.filter(({ kind }) => kind !== 'other');
  const days = activityDays(isLong ? entries : entries.slice(0, FIRST_ENTRIES), now);
  const profiles = useCompany(days.flatMap(({ lines }) => lines.flatMap(({ actors }) => actors[0] ?? [])));
  return (
    <section className="activity">
      <h2>Activity</h2>
      {value === null && error === null && <Skeleton label="Loading activity" widths={['90%', '76%', '84%', '70%']} />}
      {value === null && error !== null && <p className="quiet">{textOf(error)}</p>}
      {value !== null && all.length === 0 && <p className="quiet">Nothing has happened here yet.</p>}
      <ul className="feed">
        <ProfilesContext value={profiles}>
          {days.map(({ name, lines }) => (
            <Fragment key={name ?? ''}>
              {name !== null && <li className="feed-day">{name}</li>}
              {lines.map((line) => (
                <FeedLine key={line.id} line={line} />
              ))}
            </Fragment>
          ))}
        </ProfilesContext>
      </ul>
      {value !== null && (hasMore || (!isLong && entries.length > FIRST_ENTRIES)) && (
        <Button
          size="small"
          disabled={isLoadingMore}
          onClick={() => {
            if (isLong || entries.length <= FIRST_ENTRIES) void home.more();
            setLong(true);
          }}
        >
          Show more
        </Button>
      )}
      {value !== null && error !== null && isLong && <p role="status">{textOf(error)}</p>}
    </section>
  );
}

function FeedLine({ line }: { readonly line: ActivityLine }) {
  const known = useProfiles();
  const first = line.actors[0] === undefined ? undefined : known.get(line.actors[0]);
  return (
    <li>
      <PersonTag
        name={first?.displayName ?? 'Someone'}
        color={first?.color ?? null}
        picture={first?.avatarPath}
        size="small"
      />
      <div>
        <p>
          <Names line={line} /> <Action line={line} />
        </p>
        <time dateTime={new Date(line.until).toISOString()}>{timeOf(line.until)}</time>
      </div>
    </li>
  );
}

const MAX_NAMES = 3;

function Names({ line: { actors } }: { readonly line: ActivityLine }) {
  const nameOf = useAuthorNames();
  if (actors.length === 0) return <b>Someone</b>;
  const names = actors.map((actor) => ({ actor, name: nameOf(actor) ?? 'someone' }));
  const shown = names.slice(0, actors.length > MAX_NAMES ? MAX_NAMES - 1 : MAX_NAMES);
  const others = actors.length - shown.length;
  return shown.map(({ actor, name }, nth) => (
    <Fragment key={actor}>
      {nth > 0 && (nth === shown.length - 1 && others === 0 ? ' and ' : ', ')}
      <b>
        <bdi>{nth === 0 ? capitalized(name) : name}</bdi>
      </b>
      {nth === shown.length - 1 && others > 0 && ` and ${others} others`}
    </Fragment>
  ));
}

const LINK_VERBS: Record<string, string> = {
  viewer: 'created a link to view ',
  commenter: 'created a link to comment on ',
  editor: 'created a link to edit ',
};

function Action({ line }: { readonly line: ActivityLine }) {
  const nameOf = useAuthorNames();
  const { pages } = useValue(useWorkspace().indexAtom);
  const page = <PageName line={line} />;
  switch (line.kind) {
    case 'created':
      if (typeof line.detail['pages'] === 'number') return <>imported {counted(line.detail['pages'], 'page')}</>;
      return <>created {page}</>;
    case 'edited':
      return <>edited {page}</>;
    case 'moved': {
      const { parent } = line.detail;
      const id = typeof parent === 'string' ? parseDocumentId(parent) : null;
      const above = id === null ? undefined : pages.get(id);
      const goal = parent === null ? 'to the top level' : above === undefined ? '' : `into ${shownTitle(above.title)}`;
      return (
        <>
          moved {page} <bdi>{goal}</bdi>
        </>
      );
    }
    case 'shared':
      return (
        <>
          {LINK_VERBS[String(line.detail['role'])] ?? 'shared '}
          {page}
        </>
      );
    case 'trashed':
      return <>moved {page} to the trash</>;
    case 'restored':
      return <>restored {page}</>;
    case 'joined':
      return <>joined</>;
    case 'left': {
      const by = typeof line.detail['by'] === 'string' ? parseUserId(line.detail['by']) : null;
      if (by === null || by === line.actor) return <>left</>;
      return (
        <>
          was removed by <bdi>{nameOf(by) ?? 'someone'}</bdi>
        </>
      );
    }
    case 'other':
      return null;
  }
}

/** A link if this person's list has the page: not if it is in the trash, for example. */
function PageName({ line: { document, title } }: { readonly line: ActivityLine }) {
  const { workspace, indexAtom } = useWorkspace();
  const { pages } = useValue(indexAtom);
  const titles = useLiveTitles();
  const page = document === null ? undefined : pages.get(document);
  if (page === undefined) return <bdi>{shownTitle(title ?? '')}</bdi>;
  const shown = titles.get(page.id) ?? page.title;
  return (
    <Link to={pagePath(workspace.slug, { id: page.id, title: shown })}>
      <bdi>{shownTitle(shown)}</bdi>
    </Link>
  );
}
