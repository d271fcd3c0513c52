// The page at a version: its changes, its authors, or only itself, in the page's own typography.
import { type ReactNode, createContext, use, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { DocumentId } from '../../../protocol/ids.ts';
import { StaticBody } from '../../../editor/reading/static-body.tsx';
import type { ShownChanges } from '../../../editor/changes/shown-changes.ts';
import type { PageFiles } from '../../../state/ports/files.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { timeOf } from '../moments.ts';
import type { WhoIs } from '../who.ts';
import { TitleOfVersion } from './title-of-version.tsx';
import type { BlockNote, ShownPage } from './shown-page.ts';
import { useKeptBlocks } from './use-kept-blocks.ts';
import './shown.css';

type DrawnVersionProps = {
  readonly shown: ShownPage;
  readonly document: DocumentId;
  readonly files: PageFiles;
  readonly whoIs: WhoIs;
  /** The change that the reader is at. */
  readonly current: number | null;
  readonly picked: string | null;
  readonly onPick: (key: string | null) => void;
  /** What can be done with the block that the reader chose. */
  readonly tool: ReactNode;
  readonly isBusy: boolean;
};

const NO_LABELS: ReadonlyMap<string, string> = new Map();

type Asides = Pick<DrawnVersionProps, 'whoIs' | 'picked' | 'tool'> & Pick<ShownPage, 'notes'>;

const AsidesContext = createContext<Asides | null>(null);

export function DrawnVersion(props: DrawnVersionProps) {
  const { shown, document, files, whoIs, current, picked, onPick, tool, isBusy } = props;
  const article = useRef<HTMLElement>(null);
  const blocks = useKeptBlocks(shown.blocks);
  const { notes } = shown;
  const asides = useMemo(() => ({ notes, whoIs, picked, tool }), [notes, whoIs, picked, tool]);
  const drawn = useMemo((): ShownChanges => {
    const { marks, looks, blockLooks } = shown;
    return { marks, labels: NO_LABELS, current, history: { looks, blocks: blockLooks, picked, Aside } };
  }, [shown, current, picked]);
  const pick = useEffectEvent(onPick);
  // The keyboard reaches each change by its steps.
  useEffect(() => {
    const { current: element } = article;
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('button, a, input') !== null) return;
      if (getSelection()?.isCollapsed === false) return;
      pick(target.closest<HTMLElement>('.block[data-key]')?.dataset['key'] ?? null);
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, []);
  return (
    <AsidesContext value={asides}>
      <article
        ref={article}
        className="page-column shown-version"
        role="region"
        aria-label="Page at this version"
        aria-busy={isBusy}
      >
        <TitleOfVersion title={shown.title} before={shown.titleBefore} />
        {shown.blocks.length === 0 ? (
          <EmptyState title="The page was empty">
            <p>Nothing was written yet, or everything was removed.</p>
          </EmptyState>
        ) : (
          <StaticBody blocks={blocks} page={`history:${document}`} files={files} changes={drawn} />
        )}
        {shown.isCut && (
          <p className="page-meta">There is more to mark than fits on a screen. The rest is not marked.</p>
        )}
      </article>
    </AsidesContext>
  );
}

function Aside({ blockKey }: { readonly blockKey: string }) {
  const asides = use(AsidesContext);
  const note = asides?.notes.get(blockKey);
  const tool = asides?.picked === blockKey ? asides.tool : null;
  if (asides === null || (note === undefined && tool === null)) return null;
  return (
    <span className="block-aside" data-tool={tool === null ? undefined : ''}>
      {note !== undefined && <NoteLine note={note} whoIs={asides.whoIs} />}
      {tool}
    </span>
  );
}

function NoteLine({ note, whoIs }: { readonly note: BlockNote; readonly whoIs: WhoIs }) {
  const { deed, others, hasTime } = note;
  const { short, dye } = whoIs(deed.by);
  return (
    <span className="note-line" data-dye={dye ?? undefined}>
      <b className="truncate">{short}</b>
      {others > 0 && <span>+{others}</span>}
      {hasTime && deed.at !== null && <span>{timeOf(deed.at)}</span>}
      {deed.isPassedOn && <span>passed on</span>}
    </span>
  );
}
