// The workspace's pages as a tree, updated live: titles while someone types them, ticks for the people on each page.
import { atom } from 'jotai/vanilla';
import Plus from 'lucide-react/icons/plus';
import { useMemo } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { useMayCreatePages, useValue, useWorkspace } from '../../state/hooks.ts';
import type { ListState } from '../../state/offline/cached-list.ts';
import { noPagesText } from '../../texts/error-texts.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { type PageTreeProps, TreeRows } from './tree-rows.tsx';
import './page-tree.css';

export function PageTree(props: PageTreeProps) {
  const { listAtom } = useWorkspace();
  const phaseAtom = useMemo(() => atom((get) => phaseOf(get(listAtom))), [listAtom]);
  const phase = useValue(phaseAtom);
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
      {phase === 'listed' && <TreeRows {...props} />}
      {typeof phase === 'object' && <p className="tree-note secondary">{noPagesText(phase)}</p>}
      {phase === 'loading' && <Skeleton label="Loading pages" widths={['70%', '82%', '60%']} />}
    </section>
  );
}

const phaseOf = ({ value, error }: ListState<unknown>): 'listed' | 'loading' | WeftError =>
  value === null ? (error ?? 'loading') : 'listed';
