// The page at a version: its changes, its authors, or only itself, in the page's own typography.
import { type ReactNode, createContext, use, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { BlockHistory, BlockNote } from '../../../editor/changes/shown-changes.ts';
import { StaticBody } from '../../../editor/reading/static-body.tsx';
import { AsideContext } from '../../../editor/reading/static-marks.tsx';
import type { PageFiles } from '../../../ports/files.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { drawableBlocks } from './drawable-blocks.ts';
import type { ShownPage } from './shown-page.ts';
import { TitleOfVersion } from './title-of-version.tsx';
import { useBlockHistories } from './use-block-histories.ts';
import { useKeptBlocks } from './use-kept-blocks.ts';
import './shown.css';

type DrawnVersionProps = {
  readonly shown: ShownPage;
  readonly document: DocumentId;
  readonly files: PageFiles;
  /** The change that the reader is at. */
  readonly current: number | null;
  readonly picked: string | null;
  /** With the change that was clicked on. */
  readonly onPick: (key: string | null, step: number | null) => void;
  /** The actions for the block that the reader chose. */
  readonly tool: ReactNode;
  readonly isExportable: boolean;
  readonly isBusy: boolean;
};

/** The actions for the block that the reader chose. */
const ToolContext = createContext<ReactNode>(null);

export function DrawnVersion(props: DrawnVersionProps) {
  const { shown, document, files, current, picked, onPick, tool, isExportable, isBusy } = props;
  const article = useRef<HTMLElement>(null);
  const drawable = useMemo(() => drawableBlocks(shown.blocks, shown.marks), [shown]);
  const blocks = useKeptBlocks(drawable);
  const histories = useBlockHistories(shown, current, picked);
  const pick = useEffectEvent(onPick);
  // The keyboard reaches each change by its steps.
  useEffect(() => {
    const { current: element } = article;
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('button, a, input') !== null) return;
      if (getSelection()?.isCollapsed === false) return;
      const step = target.closest<HTMLElement>('[data-step]')?.dataset['step'];
      pick(
        target.closest<HTMLElement>('.block[data-key]')?.dataset['key'] ?? null,
        step === undefined ? null : Number(step),
      );
    };
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, []);
  return (
    <ToolContext value={tool}>
      <AsideContext value={drawAside}>
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
            <StaticBody blocks={blocks} page={`history:${document}`} files={files} history={histories} />
          )}
          {drawable.length < shown.blocks.length && (
            <p className="page-meta" role="status">
              This page is too long to be drawn here: these are the first {drawable.length.toLocaleString('en')} of its{' '}
              {shown.blocks.length.toLocaleString('en')} blocks.
              {isExportable && ' Export the version to read all of it.'}
            </p>
          )}
          {shown.isCut && (
            <p className="page-meta">There is more to mark than fits on a screen. The rest is not marked.</p>
          )}
        </article>
      </AsideContext>
    </ToolContext>
  );
}

const drawAside = (history: BlockHistory) => <Aside history={history} />;

function Aside({ history: { note: of, isPicked } }: { readonly history: BlockHistory }) {
  const note = of !== null && isEmpty(of) ? null : of;
  if (note === null && !isPicked) return null;
  return isPicked ? (
    <PickedAside note={note} />
  ) : (
    <span className="block-aside">{note && <NoteLine note={note} />}</span>
  );
}

function PickedAside({ note }: { readonly note: BlockNote | null }) {
  const tool = use(ToolContext);
  if (note === null && tool === null) return null;
  return (
    <span className="block-aside" data-tool={tool === null ? undefined : ''}>
      {note && <NoteLine note={note} />}
      {tool}
    </span>
  );
}

/** By link a note has no name, so without a time it would say nothing. */
const isEmpty = ({ name, time, isPassedOn }: BlockNote): boolean => name === '' && time === null && !isPassedOn;

function NoteLine({ note: { name, dye, others, time, isPassedOn } }: { readonly note: BlockNote }) {
  return (
    <span className="note-line" data-dye={dye ?? undefined}>
      {name !== '' && <b className="truncate">{name}</b>}
      {others > 0 && <span>+{others}</span>}
      {time !== null && <span>{time}</span>}
      {isPassedOn && <span>passed on</span>}
    </span>
  );
}
