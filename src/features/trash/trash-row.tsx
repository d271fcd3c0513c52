// A page in the trash. Its title opens the preview.
import Trash from 'lucide-react/icons/trash-2';
import Undo2 from 'lucide-react/icons/undo-2';
import { useId } from 'react';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import type { TrashEntry } from '../../protocol/answers.ts';
import { useAuthorNames } from '../../state/hooks.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';
import { daysLeft, factsOf } from './trash-texts.ts';

type TrashRowProps = {
  readonly entry: TrashEntry;
  readonly title: string;
  readonly now: number;
  /** The id of the title's button: it gets the focus when the row beside this one is gone. */
  readonly id: string;
  readonly onPreview: () => void;
  readonly onRestore: () => void;
  readonly onDelete: () => void;
};

export function TrashRow({ entry, title, now, id, onPreview, onRestore, onDelete }: TrashRowProps) {
  const nameOf = useAuthorNames();
  const factsId = useId();
  const left = daysLeft(entry, now);
  return (
    <li className="trash-row">
      <span className="trash-icon">
        <PageIcon icon={entry.document.icon} />
      </span>
      <p className="grow">
        <button id={id} type="button" className="trash-title" dir="auto" aria-describedby={factsId} onClick={onPreview}>
          {title}
        </button>
        <small id={factsId}>
          {factsOf(entry, now, nameOf)}
          <span className="phones-only">
            {' · '}
            <span>{left}</span>
          </span>
        </small>
      </p>
      <small className="tabular hide-on-phones">{left}</small>
      {mayEdit(entry.document.role) && (
        <Button size="small" aria-describedby={id} onClick={onRestore}>
          <Undo2 className="icon" aria-hidden />
          Restore
        </Button>
      )}
      {entry.mayPurge && (
        <IconButton label="Delete permanently" aria-describedby={id} onClick={onDelete}>
          <Trash className="icon" />
        </IconButton>
      )}
    </li>
  );
}
