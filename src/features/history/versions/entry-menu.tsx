// The menu in the row of a version, with the actions for it.
import Bookmark from 'lucide-react/icons/bookmark';
import BookmarkX from 'lucide-react/icons/bookmark-x';
import GitCompare from 'lucide-react/icons/git-compare';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import type { Version } from '../../../protocol/history-answers.ts';
import { MenuItem, MenuSeparator } from '../../../ui/floating/menu.tsx';
import { CopyAndRestoreItems } from '../copy-and-restore-items.tsx';
import type { Who } from '../who.ts';
import type { VersionEntry } from './version-entries.ts';

type EntryMenuProps = {
  readonly entry: VersionEntry;
  /** The reader may name or rename it, and take a version out of the list. */
  readonly mayChange: boolean;
  /** Null for people who may not edit. */
  readonly onName: (() => void) | null;
  readonly onRemove: (version: Version) => void;
  readonly onCompare: () => void;
  readonly onCopy: (() => void) | null;
  /** Null for people who may not edit, and for the page as it is now. */
  readonly onRestore: (() => void) | null;
  /** People whose edits since the beginning of the editing session can be undone. */
  readonly undoable: readonly Who[];
  /** When that editing session began; empty for a version. */
  readonly since: string;
  readonly onUndo: (who: Who) => void;
};

export function EntryMenu(props: EntryMenuProps) {
  const { entry, mayChange, onName, onRemove, onCompare, onCopy, onRestore, undoable, since, onUndo } = props;
  const isVersion = entry.type === 'version';
  return (
    <>
      {onName !== null && mayChange && (
        <MenuItem icon={<Bookmark className="icon" />} onSelect={onName}>
          {isVersion ? 'Rename' : 'Name this version'}
        </MenuItem>
      )}
      <MenuItem icon={<GitCompare className="icon" />} onSelect={onCompare}>
        Compare with this version
      </MenuItem>
      <CopyAndRestoreItems onCopy={onCopy} onRestore={onRestore} />
      {undoable.length > 0 && <MenuSeparator />}
      {undoable.map((who) => (
        <MenuItem key={who.id} icon={<RotateCcw className="icon" />} onSelect={() => onUndo(who)}>
          {`Undo everything by ${who.name === 'you' ? 'you' : who.short} since ${since}…`}
        </MenuItem>
      ))}
      {isVersion && mayChange && (
        <>
          <MenuSeparator />
          <MenuItem icon={<BookmarkX className="icon" />} onSelect={() => onRemove(entry.version)}>
            Remove from the list
          </MenuItem>
        </>
      )}
    </>
  );
}
