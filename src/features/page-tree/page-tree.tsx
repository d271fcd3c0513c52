// The workspace's pages as a tree, updated live: titles while somebody types them, ticks for the people on each page.
import Plus from 'lucide-react/icons/plus';
import { textOf } from '../../protocol/errors.ts';
import { useMayCreatePages, useValue, useWorkspace } from '../../state/hooks.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { type PageTreeProps, TreeRows } from './tree-rows.tsx';
import './page-tree.css';

export function PageTree(props: PageTreeProps) {
  const { listAtom } = useWorkspace();
  const { value, error } = useValue(listAtom);
  const mayCreate = useMayCreatePages();
  return (
    <section className="tree" aria-label="Pages">
      <header>
        <h2>Pages</h2>
        {mayCreate && (
          <IconButton label="New page" onClick={() => props.onNewPage(null)}>
            <Plus className="icon" />
          </IconButton>
        )}
      </header>
      {value !== null && <TreeRows {...props} />}
      {value === null && error !== null && <p className="tree-note secondary">{textOf(error)}</p>}
      {value === null && error === null && <Skeleton label="Loading pages" widths={['70%', '82%', '60%']} />}
    </section>
  );
}
