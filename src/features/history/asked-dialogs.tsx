// The dialogs of the history: a version's name, and whether the page is to be restored.
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import type { HistorySource } from './history-source.ts';
import { inSentence } from './moments.ts';
import { RestoreDialog } from './restore/restore-dialog.tsx';
import type { AskedHistory } from './use-asked.ts';
import { NameVersion } from './versions/name-version.tsx';

type AskedDialogsProps = {
  readonly source: HistorySource;
  readonly actions: AskedHistory;
  readonly head: number;
  readonly momentAt: (seq: number) => string;
};

export function AskedDialogs({ source: { editing, whoIs }, actions, head, momentAt }: AskedDialogsProps) {
  const { asked, setAsked, copy, restorePage } = actions;
  if (asked === null || editing === null) return null;
  const close = () => setAsked(null);
  if (asked.what === 'name') {
    const { entry } = asked;
    return (
      <LayerBoundary onDismiss={close}>
        <NameVersion
          title={entry.type === 'version' ? 'Rename version' : 'Name this version'}
          initial={entry.type === 'version' ? (entry.version.name ?? '') : ''}
          onName={(name) =>
            entry.type === 'version' ? editing.rename(entry.version, name) : editing.name(entry.seq, name, 'named')
          }
          onClose={close}
        />
      </LayerBoundary>
    );
  }
  if (asked.what === 'undo') return null;
  const { seq } = asked;
  return (
    <LayerBoundary onDismiss={close}>
      <RestoreDialog
        moment={inSentence(momentAt(seq))}
        editsSince={head - seq}
        others={editing.here.map(whoIs)}
        onRestore={restorePage(seq)}
        onCopy={copy && (() => copy(seq))}
        onClose={close}
      />
    </LayerBoundary>
  );
}
