// The head of the comments: how many are open, which are listed, and the button that closes them.
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Menu, MenuCheckItem } from '../../ui/floating/menu.tsx';
import { THREAD_FILTERS } from './listed-threads.ts';
import type { ThreadsOnScreen } from './use-threads.ts';

type CommentsHeadProps = { readonly threads: ThreadsOnScreen; readonly onClose: () => void };

export function CommentsHead({ threads, onClose }: CommentsHeadProps) {
  const { filter, setFilter, openCount } = threads;
  const name = THREAD_FILTERS.find(([one]) => one === filter)?.[1];
  return (
    <header className="comments-head">
      <h2>Comments</h2>
      <span className="tabular">{openCount} open</span>
      <Menu
        trigger={
          <Button look="plain" size="small" aria-label={`Show: ${name}`}>
            {name}
            <ChevronDown className="icon" />
          </Button>
        }
      >
        {THREAD_FILTERS.map(([one, text]) => (
          <MenuCheckItem key={one} checked={one === filter} onCheckedChange={() => setFilter(one)}>
            {text}
          </MenuCheckItem>
        ))}
      </Menu>
      <IconButton label="Close comments" onClick={onClose}>
        <X className="icon" />
      </IconButton>
    </header>
  );
}
