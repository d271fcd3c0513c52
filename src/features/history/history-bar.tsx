// The bar above the history: the way back, the three ways to show the page, and the actions for the version.
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import GitCompare from 'lucide-react/icons/git-compare';
import History from 'lucide-react/icons/history';
import List from 'lucide-react/icons/list';
import { Link } from 'react-router';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { MenuCheckItem, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { MoreMenu } from '../../ui/floating/more-menu.tsx';
import { CopyAndRestoreItems } from './copy-and-restore-items.tsx';
import type { Mode } from './shown/shown-moment.ts';

const MODES: readonly { readonly mode: Mode; readonly name: string }[] = [
  { mode: 'changes', name: 'Changes' },
  { mode: 'authors', name: 'Authors' },
  { mode: 'plain', name: 'Plain' },
];

type HistoryBarProps = {
  readonly address: string;
  readonly title: string;
  readonly moment: string;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  /** Opens the list of versions, on phones. Null elsewhere: there the list is beside the page. */
  readonly onVersions: (() => void) | null;
  readonly onCopy: (() => void) | null;
  /** Null for people who may not edit, and for the page as it is now. */
  readonly onRestore: (() => void) | null;
  /** People who may edit see the button also where there is nothing to restore. */
  readonly isEditor: boolean;
  readonly formats: readonly { readonly id: string; readonly name: string }[];
  readonly onExport: (format: string) => void;
  readonly onCompareWithNow: (() => void) | null;
};

export function HistoryBar(props: HistoryBarProps) {
  const { address, title, moment, onVersions } = props;
  return (
    <header className="history-bar">
      <Link className="icon-btn" to={address} aria-label="Back to page" title="Back to page">
        <ArrowLeft className="icon" aria-hidden size={18} />
      </Link>
      <nav className="crumbs hide-on-phones" aria-label="Where this is">
        <Link className="truncate" to={address}>
          {title}
        </Link>
        <span className="slash" aria-hidden="true">
          /
        </span>
        <b>History</b>
      </nav>
      <b className="phones-only truncate">{moment}</b>
      <span className="grow" />
      {onVersions === null ? (
        <WideActions {...props} />
      ) : (
        <IconButton label="Versions" onClick={onVersions}>
          <List className="icon" aria-hidden size={18} />
        </IconButton>
      )}
      <MoreActions {...props} />
    </header>
  );
}

/** The actions that a phone has in its menu instead. */
function WideActions({ mode, onMode, onCopy, onRestore, isEditor }: HistoryBarProps) {
  return (
    <>
      <div className="segments" role="group" aria-label="Show">
        {MODES.map(({ mode: one, name }) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === mode}
            data-pressed={one === mode || undefined}
            onClick={() => onMode(one)}
          >
            {name}
          </button>
        ))}
      </div>
      {onCopy !== null && (
        <Button onClick={onCopy}>
          <Copy className="icon" aria-hidden size={16} />
          Copy as new page
        </Button>
      )}
      {isEditor && (
        <Button look="primary" disabled={onRestore === null} onClick={() => onRestore?.()}>
          <History className="icon" aria-hidden size={16} />
          Restore page
        </Button>
      )}
    </>
  );
}

function MoreActions(props: HistoryBarProps) {
  const { formats, onExport, onCompareWithNow } = props;
  const isPhone = props.onVersions !== null;
  if (!isPhone && formats.length === 0 && onCompareWithNow === null) return null;
  return (
    <MoreMenu>
      {isPhone && <PhoneItems {...props} />}
      {onCompareWithNow !== null && (
        <MenuItem icon={<GitCompare className="icon" />} onSelect={onCompareWithNow}>
          Compare with now
        </MenuItem>
      )}
      {formats.map(({ id, name }) => (
        <MenuItem key={id} icon={<Download className="icon" />} onSelect={() => onExport(id)}>
          Export as {name}
        </MenuItem>
      ))}
    </MoreMenu>
  );
}

function PhoneItems({ mode, onMode, onCopy, onRestore }: HistoryBarProps) {
  return (
    <>
      {MODES.map(({ mode: one, name }) => (
        <MenuCheckItem key={one} checked={one === mode} onCheckedChange={() => onMode(one)}>
          {name}
        </MenuCheckItem>
      ))}
      <MenuSeparator />
      <CopyAndRestoreItems onCopy={onCopy} onRestore={onRestore} />
    </>
  );
}
