// Limits the search to pages that one person created or changed last. Offers this person and everyone
// who was the last to change some page.
import { useMemo, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { useCompany, usePerson, useProfiles, useValue, useWorkspace } from '../../state/hooks.ts';
import { Popover } from '../../ui/floating/popover.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { FilterButton, SetFilter } from './filter-chip.tsx';

type AuthorFilterProps = { readonly author: UserId | null; readonly onChange: (author: UserId | null) => void };

/** A list shows this many; a longer one has a field to find someone. */
const MAX_SHOWN = 10;

export function AuthorFilter({ author, onChange }: AuthorFilterProps) {
  const { identity } = usePerson();
  const known = useProfiles();
  const [isOpen, setOpen] = useState(false);
  if (author !== null) {
    const profile = known.get(author);
    return (
      <SetFilter clearLabel="Clear author" onClear={() => onChange(null)}>
        {profile !== undefined && (
          <PersonTag name={profile.displayName} color={profile.color} picture={profile.avatarPath} size="small" />
        )}
        <span className="truncate">
          By <bdi>{author === identity.id ? 'me' : (profile?.displayName ?? 'someone')}</bdi>
        </span>
      </SetFilter>
    );
  }
  return (
    <Popover
      label="Author"
      className="author-menu"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<FilterButton>Any author</FilterButton>}
    >
      <AuthorList
        onChoose={(chosen) => {
          setOpen(false);
          onChange(chosen);
        }}
      />
    </Popover>
  );
}

function AuthorList({ onChoose }: { readonly onChoose: (author: UserId) => void }) {
  const authors = useAuthors();
  const [part, setPart] = useState('');
  const wanted = part.trim().toLocaleLowerCase();
  const found = authors.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return (
    <>
      {authors.length > MAX_SHOWN && (
        <input
          className="input"
          aria-label="Find a person"
          placeholder="Find a person"
          value={part}
          onChange={(event) => setPart(event.currentTarget.value)}
        />
      )}
      <ul>
        {found.slice(0, MAX_SHOWN).map(({ id, name, color }) => (
          <li key={id}>
            <button type="button" className="menu-item" onClick={() => onChoose(id)}>
              <PersonTag name={name} color={color} size="small" />
              <bdi className="truncate">{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="secondary">No matches</p>}
    </>
  );
}

/** This person first, then by name. */
function useAuthors() {
  const { identity } = usePerson();
  const { indexAtom } = useWorkspace();
  const { pages } = useValue(indexAtom);
  const ids = useMemo(
    () => Array.from(new Set(Array.from(pages.values()).flatMap(({ updatedBy }) => updatedBy ?? []))),
    [pages],
  );
  const known = useCompany([identity.id, ...ids]);
  return useMemo(() => {
    const others = ids.flatMap((id) => {
      const profile = known.get(id);
      return profile === undefined || id === identity.id
        ? []
        : [{ id, name: profile.displayName, color: profile.color }];
    });
    const own = known.get(identity.id);
    return [
      ...(own === undefined ? [] : [{ id: own.id, name: 'Me', color: own.color }]),
      ...others.toSorted((a, b) => a.name.localeCompare(b.name)),
    ];
  }, [known, ids, identity]);
}
