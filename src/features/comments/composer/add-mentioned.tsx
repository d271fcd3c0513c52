// Asks a manager whether people whom a comment mentions get access to the page or its comments, before it is sent: only then are
// they notified.
import { useEffect, useRef, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { type DocumentRole, mayComment } from 'weft-sync/protocol/roles.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { PAGE_ROLE_NAMES } from '../../../texts/role-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ChoiceMenu } from '../../../ui/floating/choice-menu.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { useComments } from '../comments-context.ts';
import { useCommentNames } from '../thread/author.tsx';

/** The most likely choice comes first. */
const ROLES = (['commenter', 'viewer', 'editor', 'manager'] satisfies DocumentRole[]).map(
  (role) => [role, PAGE_ROLE_NAMES[role]] as const,
);

type AddMentionedProps = {
  readonly people: readonly UserId[];
  readonly onSend: () => void;
  readonly onClose: () => void;
};

export function AddMentioned({ people, onSend, onClose }: AddMentionedProps) {
  const { readers } = useComments();
  const areOutside = people.every(readers.isShutOut);
  const roles = readers.mayViewersRead() ? ROLES : ROLES.filter(([one]) => mayComment(one));
  const names = people.map(useCommentNames());
  const [role, setRole] = useState<DocumentRole>('commenter');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const add = async () => {
    setBusy(true);
    const answer = await readers.add(people, role);
    // Whoever closed the dialog meanwhile doesn't want to send.
    if (!isOpen.current) return;
    setBusy(false);
    if (answer.ok) onSend();
    else setProblem(textOf(answer.error));
  };
  return (
    <Dialog
      title={areOutside ? 'Give access to this page?' : 'Give access to comments?'}
      open
      size="small"
      onOpenChange={onClose}
    >
      <section className="add-mentioned">
        <p>
          <bdi>{new Intl.ListFormat('en-GB').format(names)}</bdi> can’t{' '}
          {areOutside ? 'open this page' : 'read comments on this page'}, and won’t be notified without access.
        </p>
        <ChoiceMenu label="Role" value={role} choices={roles} onChange={setRole} />
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button disabled={isBusy} onClick={onSend}>
          Send only
        </Button>
        <Button look="primary" disabled={isBusy} onClick={() => void add()}>
          Give access and send
        </Button>
      </footer>
    </Dialog>
  );
}
