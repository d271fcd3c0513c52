// Shows which pages people have open now, as a sentence and as the named end of a thread per person. Where a person was
// before is not drawn, because the app does not know it.
import { Link } from 'react-router';
import type { DocumentSummary, Profile } from '../../protocol/answers.ts';
import { assignColors } from '../../state/people/assign-colors.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { othersOn } from '../../state/workspace/open-workspace.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../state/workspace/page-index.ts';

export function OpenNow({ pages }: { readonly pages: readonly DocumentSummary[] }) {
  const { identity, people } = usePerson();
  const { workspace, locationsAtom } = useWorkspace();
  const present = useValue(locationsAtom);
  const known = useValue(people.atom);
  const open = pages.flatMap((page) => {
    const users = othersOn(present, page.id, identity.id);
    const peopleHere = Array.from(assignColors(users, known).values());
    return peopleHere.length === 0 ? [] : [{ page, here: peopleHere }];
  });
  const count = new Set(open.flatMap(({ here }) => here.map(({ id }) => id))).size;
  // People with access to single pages only do not see where others are.
  if (workspace.role === null) return null;
  return (
    <section className="open-now">
      <h2>
        Open now
        {count > 0 && <small className="tabular">{count === 1 ? '1 person' : `${count} people`}</small>}
      </h2>
      {open.length === 0 ? (
        <p className="quiet">
          {present === null
            ? 'You can’t see who is where while offline.'
            : 'No other member has a page open right now.'}
        </p>
      ) : (
        <ul className="loom">
          {open.map(({ page, here }) => (
            <li key={page.id}>
              <div>
                <Link className="page-name" to={pagePath(workspace.slug, page)}>
                  {shownTitle(page.title)}
                </Link>
                <p>{sentenceOf(here)}</p>
              </div>
              <PeopleThreads here={here} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Hidden from assistive technology: the sentence beside it says the same. */
function PeopleThreads({ here }: { readonly here: readonly Profile[] }) {
  return (
    <div className="threads" aria-hidden="true">
      {here.map((person) => (
        <div key={person.id} className="thread" data-dye={person.color}>
          <span className="lane" />
          <b className="truncate">{firstName(person)}</b>
        </div>
      ))}
    </div>
  );
}

const firstName = ({ displayName }: Profile) => displayName.split(/\s+/u)[0] ?? displayName;

function sentenceOf(here: readonly Profile[]): string {
  const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(here.map(firstName));
  return here.length === 1 ? `${names} has it open.` : `${names} have it open.`;
}
