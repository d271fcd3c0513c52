// A page to watch: live and read-only, by a link, which needs no account, or for someone who may read the page.
import ALargeSmall from 'lucide-react/icons/a-large-small';
import { type ReactNode, useSyncExternalStore } from 'react';
import { MAX_READER_UNITS, pageLengthOf } from 'weft-document/body/page-length.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type { VisitChanges } from '../../editor/changes/use-change-steps.tsx';
import type { PageFiles } from '../../ports/files.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { DrawnPage, type PageOfDocumentProps } from './drawn-page.tsx';
import { LongPage } from './long-page.tsx';
import { TEXT_SIZES, changeReadingSettings, useReadingSettings } from './reading-settings.ts';
import { WatchEnded } from './watch-ended.tsx';
import './watching.css';

type WatchPageProps = {
  readonly watch: WatchSession;
  /** This device stores the folded toggles under this key: the page's id where it is known. */
  readonly foldsKey: string;
  /** The source of the page's pictures and files. */
  readonly files?: PageFiles | null;
  /** The changes since the reader's last visit. */
  readonly changes?: VisitChanges | null;
  /** Without a bar and in large type: the live badge stands at the bottom left, with the tools. */
  readonly isFullScreen?: boolean;
  /** Shown at the end of the bar: theme, sign-in. */
  readonly actions?: ReactNode;
};

export function WatchPage({
  watch,
  foldsKey,
  files = null,
  changes = null,
  isFullScreen = false,
  actions,
}: WatchPageProps) {
  const { phase, error } = useSyncExternalStore(watch.subscribe, watch.getView);
  const { size } = useReadingSettings();
  const nextSize = TEXT_SIZES[(TEXT_SIZES.indexOf(size) + 1) % TEXT_SIZES.length] ?? 'normal';
  const tools = (
    <>
      <IconButton label="Text size" onClick={() => changeReadingSettings({ size: nextSize })}>
        <ALargeSmall className="icon" aria-hidden size={18} />
      </IconButton>
      {actions}
    </>
  );
  return (
    <div className="watch" data-size={size} data-full={isFullScreen || undefined}>
      {phase === 'ended' || phase === 'failed' || (phase === 'opening' && error !== null) ? (
        <WatchEnded watch={watch} />
      ) : (
        <Watched watch={watch} foldsKey={foldsKey} files={files} changes={changes} tools={tools} />
      )}
    </div>
  );
}

function Watched(props: Omit<PageOfDocumentProps, 'doc'>) {
  const { watch } = props;
  // A rebuild replaces the document (L6).
  const doc = useSyncExternalStore(watch.subscribe, () => watch.doc);
  const length = pageLengthOf(doc, MAX_READER_UNITS);
  const isTooLong = useSyncExternalStore(length.subscribe, length.get) === 'long';
  return isTooLong ? <LongPage doc={doc} {...props} /> : <DrawnPage doc={doc} {...props} />;
}
