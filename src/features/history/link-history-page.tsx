// The history of a page for watchers by a link that shows it: read-only, and without people.
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { DocumentId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type { PageFiles } from '../../ports/files.ts';
import type { LinkHistoryView } from '../../ports/history.ts';
import { useApp } from '../../state/hooks.ts';
import { whileVisible } from '../../ui/browser/while-visible.ts';
import { HistoryStates } from './history-states.tsx';
import { ReadyHistory } from './ready-history.tsx';
import { useRows } from './timeline/use-rows.ts';
import { type ReadyView, usePageHistory } from './use-page-history.ts';
import { linkEditingSessions, linkVersions } from './versions/link-entries.ts';
import { EVERYTHING } from './versions/version-entries.ts';
import { UNNAMED } from './who.ts';

type LinkHistoryPageProps = {
  readonly secret: LinkSecret;
  readonly watch: Pick<WatchSession, 'doc' | 'subscribe'>;
  readonly documentId: DocumentId;
  readonly files: PageFiles;
  /** The page's address. */
  readonly address: string;
  readonly title: string;
  /** The moment that is shown first. Null: now. */
  readonly moment: number | null;
};

export function LinkHistoryPage(props: LinkHistoryPageProps) {
  const { secret, watch, address } = props;
  const { openLinkHistory } = useApp();
  const open = useCallback(() => openLinkHistory(secret), [openLinkHistory, secret]);
  const opened = usePageHistory(open, watch);
  return (
    <HistoryStates
      opened={opened}
      address={address}
      renderReady={(history, view) => <LinkHistory {...props} history={history} view={view} />}
    />
  );
}

type LinkHistoryProps = LinkHistoryPageProps & { readonly history: LinkHistoryView; readonly view: ReadyView };

function LinkHistory({ documentId, files, address, title, moment, history, view }: LinkHistoryProps) {
  const { head } = view;
  const [filter, setFilter] = useState(EVERYTHING);
  const rows = useRows(history, head);
  const { versions: named } = history;
  const wasHidden = useRef(false);
  const shownVersions = useSyncExternalStore(named.subscribe, named.get);
  useEffect(
    () =>
      whileVisible(() => {
        if (wasHidden.current) void named.refresh();
        const timer = setInterval(() => void named.refresh(), READ_VERSIONS_EVERY_MS);
        return () => {
          clearInterval(timer);
          wasHidden.current = document.hidden;
        };
      }),
    [named],
  );
  const versions = useMemo(
    () => ({
      editingSessions: linkEditingSessions(history.row, rows.starts, head),
      versions: linkVersions(history.row, shownVersions, documentId),
      isWhole: true,
      error: null,
      more: nothing,
      retry: nothing,
    }),
    [history, rows, head, shownVersions, documentId],
  );
  return (
    <ReadyHistory
      source={{ documentId, files, rows, whoIs, versions, filter, onFilter: setFilter, editing: null }}
      tools={{ address, title, moment, formats: [], onExport: nothing, onCopy: null, watchVersions: null }}
      history={history}
      view={view}
    />
  );
}

/** People name versions rarely. */
const READ_VERSIONS_EVERY_MS = 60_000;

const whoIs = () => UNNAMED;
const nothing = () => undefined;
