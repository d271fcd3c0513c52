// Asks before a move that takes access from someone, and names them. If no one loses access, or the server does not
// say, the page moves at once.
import { useEffect, useEffectEvent, useState } from 'react';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { useListedPage, useLiveTitle, usePerson } from '../../state/hooks.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { LosersText } from './losers-text.tsx';
import { useNames } from './use-access-words.ts';

type MoveQuestionProps = {
  readonly page: DocumentId;
  readonly parent: DocumentId;
  readonly onMove: () => void;
  readonly onClose: () => void;
};

export function MoveQuestion({ page, parent, onMove, onClose }: MoveQuestionProps) {
  const { access, people } = usePerson();
  const nameOf = useNames();
  const title = useShownTitle(page);
  const goal = useShownTitle(parent);
  const [losers, setLosers] = useState<readonly UserId[]>([]);

  const answered = useEffectEvent((users: readonly UserId[]) => {
    if (users.length === 0) return onMove();
    people.ensureLoaded(users);
    setLosers(users);
  });
  useEffect(() => {
    let isShown = true;
    void access.losersByMove(page, parent).then((answer) => {
      // Without an answer the move waits on this device like any other, and the server decides about it.
      if (isShown) answered(answer.ok ? answer.value : []);
    });
    return () => {
      isShown = false;
    };
  }, [access, page, parent]);

  if (losers.length === 0) return null;
  return (
    <Dialog title={`Move “${title}” to “${goal}”?`} open size="small" onOpenChange={(isOpen) => !isOpen && onClose()}>
      <section>
        <p>
          <LosersText names={losers.map(nameOf)} />
        </p>
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" onClick={onMove}>
          Move page
        </Button>
      </footer>
    </Dialog>
  );
}

/** The title of an open page is newer than the list's. */
function useShownTitle(page: DocumentId): string {
  const listed = useListedPage(page)?.title ?? '';
  return shownTitle(useLiveTitle(page) ?? listed);
}
