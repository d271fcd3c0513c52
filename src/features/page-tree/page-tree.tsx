// The workspace's pages as a tree, updated live: titles while somebody types them, ticks for the people on each page.
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import { selectAtom } from 'jotai/utils';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { textOf } from '../../protocol/errors.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { mayEdit } from '../../protocol/roles.ts';
import { assignColors } from '../../state/people/assign-colors.ts';
import { useLiveTitles, useMayCreatePages, useOverdue, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { othersOn } from '../../state/workspace/open-workspace.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { type PageNode, shownTitle, treeOf } from '../../state/workspace/page-tree.ts';
import type { Unsent } from '../../sync/ports.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { ReceiptMark } from '../../ui/mark/receipt-mark.tsx';
import { PresenceTicks } from '../../ui/people/presence-ticks.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { stepOf, tabStop, visibleRows } from './tree-keys.ts';
import './page-tree.css';

type PageTreeProps = {
  /** The page on the screen. */
  readonly current: DocumentId | null;
  readonly onNewPage: (parent: DocumentId | null) => void;
  /** Called when the person chose a page, so that a drawer closes. */
  readonly onChosen: () => void;
};

export function PageTree({ current, onNewPage, onChosen }: PageTreeProps) {
  const { listAtom } = useWorkspace();
  const list = useValue(listAtom);
  const titles = useLiveTitles();
  const mayCreate = useMayCreatePages();
  const pages = list.value?.documents ?? null;
  return (
    <section className="tree" aria-label="Pages">
      <header>
        <h2>Pages</h2>
        {mayCreate && (
          <IconButton label="New page" onClick={() => onNewPage(null)}>
            <Plus className="icon" />
          </IconButton>
        )}
      </header>
      {pages === null && list.error !== null && <p className="tree-note secondary">{textOf(list.error)}</p>}
      {pages === null && list.error === null && <Skeleton label="Loading pages" widths={['70%', '82%', '60%']} />}
      {pages !== null && (
        <Tree
          nodes={treeOf(pages.map((page) => ({ ...page, title: titles.get(page.id) ?? page.title })))}
          current={current}
          onNewPage={onNewPage}
          onChosen={onChosen}
        />
      )}
    </section>
  );
}

function Tree({ nodes, current, onNewPage, onChosen }: PageTreeProps & { readonly nodes: readonly PageNode[] }) {
  const [closed, setClosed] = useState<ReadonlySet<DocumentId>>(new Set<DocumentId>());
  const [focused, setFocused] = useState<DocumentId | null>(null);
  const rows = visibleRows(nodes, closed);
  const setOpen = (id: DocumentId, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  const newPageIn = (id: DocumentId) => {
    setOpen(id, true);
    onNewPage(id);
  };
  const onKey = (id: DocumentId, event: KeyboardEvent<HTMLElement>) => {
    const tree = event.currentTarget.closest('.tree');
    const step = event.altKey || event.ctrlKey || event.metaKey ? null : stepOf(rows, id, event.key);
    if (step === null || tree === null) return;
    event.preventDefault();
    switch (step.do) {
      case 'focus':
        return tree.querySelector<HTMLElement>(`[data-page="${step.id}"]`)?.focus();
      case 'open':
      case 'close':
        return setOpen(step.id, step.do === 'open');
      case 'newPage':
        // The button says whether this person may.
        return tree.querySelector<HTMLElement>(`[data-page="${step.id}"] ~ .row-act`)?.click();
    }
  };
  return (
    <TreeLevel
      nodes={nodes}
      depth={0}
      current={current}
      closed={closed}
      stop={tabStop(rows, focused, current)}
      onOpen={setOpen}
      onFocused={setFocused}
      onKey={onKey}
      onNewPage={newPageIn}
      onChosen={onChosen}
    />
  );
}

type LevelProps = {
  readonly current: DocumentId | null;
  readonly closed: ReadonlySet<DocumentId>;
  /** The row that Tab reaches. */
  readonly stop: DocumentId | null;
  readonly onOpen: (id: DocumentId, isOpen: boolean) => void;
  readonly onFocused: (id: DocumentId) => void;
  readonly onKey: (id: DocumentId, event: KeyboardEvent<HTMLElement>) => void;
  readonly onNewPage: (parent: DocumentId) => void;
  readonly onChosen: () => void;
  readonly depth: number;
};

function TreeLevel({ nodes, ...rest }: LevelProps & { readonly nodes: readonly PageNode[] }) {
  return (
    <ul>
      {nodes.map((node) => (
        <TreeRow key={node.page.id} node={node} {...rest} />
      ))}
    </ul>
  );
}

function TreeRow({ node, ...level }: LevelProps & { readonly node: PageNode }) {
  const { depth, current, closed, stop, onOpen, onFocused, onKey, onNewPage, onChosen } = level;
  const { workspace, unavailableAtom } = useWorkspace();
  const { page, children } = node;
  const isOpen = children.length > 0 && !closed.has(page.id);
  const title = shownTitle(page.title);
  const isUnavailable = useValue(unavailableAtom).has(page.id);
  return (
    <li>
      <div
        className="row"
        style={{ '--depth': depth }}
        data-here={page.id === current || undefined}
        data-unavailable={isUnavailable || undefined}
        title={isUnavailable ? 'Not on this device' : undefined}
      >
        {children.length > 0 ? (
          <button
            type="button"
            className="chevron"
            tabIndex={-1}
            aria-expanded={isOpen}
            aria-label={`Pages in ${title}`}
            onClick={() => onOpen(page.id, !isOpen)}
          >
            {isOpen ? <ChevronDown className="icon" /> : <ChevronRight className="icon" />}
          </button>
        ) : (
          <span className="leaf" />
        )}
        <Link
          className="grow truncate"
          to={pagePath(workspace.slug, page)}
          data-page={page.id}
          tabIndex={page.id === stop ? 0 : -1}
          aria-current={page.id === current ? 'page' : undefined}
          aria-expanded={children.length > 0 ? isOpen : undefined}
          onFocus={() => onFocused(page.id)}
          onKeyDown={(event) => onKey(page.id, event)}
          onClick={onChosen}
        >
          {title}
          {isUnavailable && <span className="sr-only">, not on this device</span>}
        </Link>
        <UnsentMark id={page.id} />
        <PeopleOnPage id={page.id} />
        <IconButton
          className="row-act"
          label={`New page in ${title}`}
          tabIndex={-1}
          disabled={!mayEdit(page.role)}
          onClick={() => onNewPage(page.id)}
        >
          <Plus className="icon" />
        </IconButton>
      </div>
      {isOpen && <TreeLevel {...level} nodes={children} depth={depth + 1} />}
    </li>
  );
}

function PeopleOnPage({ id }: { readonly id: DocumentId }) {
  const { identity, people } = usePerson();
  const present = useValue(useWorkspace().locationsAtom);
  const known = useValue(people.atom);
  const shown = assignColors(othersOn(present, id, identity.id), known);
  return (
    <PresenceTicks
      people={Array.from(shown.values(), (one) => ({ id: one.id, name: one.displayName, color: one.color }))}
    />
  );
}

const UNSENT_AFTER_MS = 1_000;

function UnsentMark({ id }: { readonly id: DocumentId }) {
  const oldestAt = useUnsentOf(id, (waiting) => waiting?.oldestAt ?? null);
  return useOverdue(oldestAt, UNSENT_AFTER_MS) && <UnsentCount id={id} />;
}

function UnsentCount({ id }: { readonly id: DocumentId }) {
  const edits = useUnsentOf(id, (waiting) => waiting?.edits ?? 0);
  const label = `${edits === 1 ? '1 edit' : `${edits} edits`} on this device only`;
  return (
    <span className="row-unsent" role="img" aria-label={label} title={label}>
      <ReceiptMark state="device" />
    </span>
  );
}

/** One number of one row, so that a key typed on a page renders that row only, not the whole tree. */
function useUnsentOf<T extends number | null>(id: DocumentId, read: (waiting: Unsent | undefined) => T): T {
  const { unsentPagesAtom } = usePerson();
  const rowAtom = useMemo(
    () => selectAtom(unsentPagesAtom, (all) => read(all.find(({ document }) => document === id))),
    [unsentPagesAtom, id, read],
  );
  return useValue(rowAtom);
}
