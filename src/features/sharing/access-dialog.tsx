// Asks before the access of a page changes, and says who loses it.
import { useEffect, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { PagePeople } from '../../protocol/people-answers.ts';
import { usePerson } from '../../state/hooks.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import type { LinkList, Sharing } from '../../state/workspace/access/sharing.ts';
import { problemOf, textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast, toastWithUndo } from '../../ui/floating/toast.tsx';
import { heldByLinkOnly } from './access-text.ts';
import { LosersText } from './losers-text.tsx';
import { useNames } from './use-access-words.ts';

/** The page's new access. `inherit`: that of the page above. */
export type AccessGoal = {
  readonly access: PagePeople['access'];
  readonly title: string;
  /** The meaning of the change, in words. */
  readonly text: string;
  readonly button: string;
  /** The toast's text after the change. */
  readonly done: string;
};

type AccessDialogProps = {
  readonly goal: AccessGoal;
  readonly current: PagePeople;
  readonly people: PagePeopleState;
  readonly sharing: Sharing;
  readonly links: NonNullable<LinkList['links']>;
  readonly onClose: () => void;
};

export function AccessDialog({ goal, current, people, sharing, links, onClose }: AccessDialogProps) {
  const { identity } = usePerson();
  const nameOf = useNames();
  const [losers, setLosers] = useState<readonly UserId[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [endsLinks, setEndsLinks] = useState(true);
  const { access } = goal;
  const asksForLinks = access === 'restricted' && links.length > 0;

  useEffect(() => {
    let isShown = true;
    void people.losers(access).then((answer) => {
      if (!isShown) return;
      if (answer.ok) setLosers(answer.value);
      else setProblem(textOf(answer.error));
    });
    return () => {
      isShown = false;
    };
  }, [people, access]);

  const all = new Set(losers);
  if (asksForLinks && endsLinks) for (const user of heldByLinkOnly(current.people, identity.id)) all.add(user);
  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    const changed = await people.setAccess(access, asksForLinks && endsLinks);
    // The list of links follows without waiting for the stream.
    if (changed.ok) void sharing.load();
    setBusy(false);
    if (!changed.ok) return setProblem(textOf(changed.error));
    onClose();
    // A revoked link stays revoked.
    if (asksForLinks && endsLinks) toast(goal.done);
    else toastWithUndo(goal.done, async () => problemOf(await people.setAccess(current.access, false)));
  };

  return (
    <Dialog title={goal.title} open size="small" onOpenChange={(isOpen) => !isOpen && onClose()}>
      <section>
        <p>{goal.text}</p>
        {(losers !== null || problem === null) && (
          <p className="access-losers" role="status">
            {losers === null ? 'Checking who loses access…' : <LosersText names={Array.from(all, nameOf)} />}
          </p>
        )}
        {asksForLinks && (
          <label className="access-links">
            <input
              type="checkbox"
              checked={endsLinks}
              onChange={(event) => setEndsLinks(event.currentTarget.checked)}
            />
            {links.length === 1 ? 'Revoke its link' : `Revoke its ${links.length} links`}
          </label>
        )}
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={isBusy || losers === null} onClick={() => void confirm()}>
          {goal.button}
        </Button>
      </footer>
    </Dialog>
  );
}
