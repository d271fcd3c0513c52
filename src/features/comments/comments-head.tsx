// The head of the comments: how many are open, which are listed, and the button that closes them.
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { capitalized } from '../../lib/text/capitalized.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuCheckItem, MenuLabel, MenuSeparator } from '../../ui/floating/menu.tsx';
import { NO_FILTER, THREAD_STATES, type ThreadFilter, isFiltered } from './listed-threads.ts';
import { focusFilter } from './pass-focus.ts';
import { AuthorTag, useCommentNames } from './thread/author.tsx';
import type { ThreadsOnScreen } from './use-threads.ts';

type CommentsHeadProps = { readonly threads: ThreadsOnScreen; readonly onClose: () => void };

export function CommentsHead({ threads, onClose }: CommentsHeadProps) {
  return (
    <header className="comments-head">
      <h2>Comments</h2>
      {/* The filter has its place once it is set, and the bar has the number too. */}
      {!isFiltered(threads.filter) && <span className="tabular">{threads.openCount} open</span>}
      <Filter threads={threads} />
      <IconButton label="Close comments" onClick={onClose}>
        <X className="icon" />
      </IconButton>
    </header>
  );
}

/** A word with an arrow while no filter is set; on a colored ground and with × once one is. */
function Filter({ threads: { filter, setFilter, writers } }: { readonly threads: ThreadsOnScreen }) {
  const nameOf = useCommentNames();
  const isSet = isFiltered(filter);
  const name = nameOfFilter(filter, nameOf);
  const people = writers.map((id) => ({ id, name: nameOf(id) })).toSorted((a, b) => a.name.localeCompare(b.name));
  const itemOf = (of: ThreadFilter['of']) => ({
    checked: of === filter.of,
    onCheckedChange: () => setFilter({ ...filter, of: of === filter.of ? 'anyone' : of }),
  });
  return (
    <span className="comments-filter" data-set={isSet || undefined}>
      <Menu
        trigger={
          <Button look="plain" size="small" aria-label={`Show: ${name}`} title={isSet ? name : undefined}>
            <span className="truncate">{name}</span>
            {!isSet && <ChevronDown className="icon" />}
          </Button>
        }
      >
        {THREAD_STATES.map(([state, text]) => (
          <MenuCheckItem
            key={state}
            checked={state === filter.state}
            onCheckedChange={() => setFilter({ ...filter, state })}
          >
            {text}
          </MenuCheckItem>
        ))}
        <MenuSeparator />
        <MenuCheckItem {...itemOf('mine')}>Mine</MenuCheckItem>
        {people.length > 0 && <MenuLabel>With a comment by</MenuLabel>}
        {people.map((person) => (
          <MenuCheckItem key={person.id} {...itemOf(person.id)}>
            <AuthorTag author={person.id} />
            <bdi className="truncate">{person.name}</bdi>
          </MenuCheckItem>
        ))}
      </Menu>
      {isSet && (
        <IconButton
          label="Clear filter"
          onClick={() => {
            setFilter(NO_FILTER);
            focusFilter();
          }}
        >
          <X className="icon" />
        </IconButton>
      )}
    </span>
  );
}

/** “Resolved, by Ada”. */
function nameOfFilter({ state, of }: ThreadFilter, nameOf: ReturnType<typeof useCommentNames>): string {
  const whose = of === 'anyone' ? null : of === 'mine' ? 'mine' : `by ${nameOf(of)}`;
  const which = THREAD_STATES.find(([one]) => one === state)?.[1] ?? '';
  if (whose === null) return which;
  return state === 'open' ? capitalized(whose) : `${which}, ${whose}`;
}
