// Asks before a move by which someone loses access, where `mayTakeAccess` says that it is possible. The question loads
// when it is needed.
import { type ReactNode, createContext, useCallback, useContext, useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import { mayTakeAccess } from '../../state/workspace/tree/tree-moves.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';

const MoveQuestion = latePart(async () => (await import('./move-question.tsx')).MoveQuestion);

type AskToMove = (page: DocumentId, parent: DocumentId | null, move: () => void) => void;
type Asked = { readonly page: DocumentId; readonly parent: DocumentId; readonly move: () => void };

const MoveQuestionContext = createContext<AskToMove>((_page, _parent, move) => move());

/** Returns a function that calls `move` at once or, if it has to ask, once the person agrees. */
export const useMoveQuestion = (): AskToMove => useContext(MoveQuestionContext);

export function MoveQuestionProvider({ children }: { readonly children: ReactNode }) {
  const { store } = usePerson();
  const { indexAtom } = useWorkspace();
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useCallback<AskToMove>(
    (page, parent, move) => {
      if (parent === null || !mayTakeAccess(store.get(indexAtom), page, parent)) move();
      else setAsked({ page, parent, move });
    },
    [store, indexAtom],
  );
  return (
    <MoveQuestionContext value={ask}>
      {children}
      {asked !== null && (
        <MoveQuestion
          page={asked.page}
          parent={asked.parent}
          onMove={() => {
            setAsked(null);
            asked.move();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </MoveQuestionContext>
  );
}
