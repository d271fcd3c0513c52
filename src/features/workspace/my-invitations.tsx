// The open invitations to this person's address: someone who was invited should not found a workspace of their own first.
import { useEffect, useState } from 'react';
import type { AcceptedInvite, InviteOffer } from '../../protocol/people-answers.ts';
import { usePerson } from '../../state/hooks.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import './my-invitations.css';

/** The form to found a workspace appears after this time at the latest. */
const ANSWER_WITHIN_MS = 1_500;

/**
 * `offers` is null until the server answers or that time is over. A later answer is dropped, so that the form does not
 * move.
 */
export function useMyInvitations() {
  const { membership, timing } = usePerson();
  const [offers, setOffers] = useState<readonly InviteOffer[] | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const set = (found: readonly InviteOffer[]) => {
      if (isCurrent) setOffers((before) => before ?? found);
    };
    const stop = timing.after(ANSWER_WITHIN_MS, () => set([]));
    void membership.myInvites().then((answer) => set(answer.ok ? answer.value : []));
    return () => {
      isCurrent = false;
      stop();
    };
  }, [membership, timing]);
  const remove = (id: InviteOffer['id']) => setOffers((before) => before?.filter((one) => one.id !== id) ?? null);
  return { offers, remove };
}

type MyInvitationsProps = {
  readonly offers: readonly InviteOffer[];
  readonly onDeclined: (id: InviteOffer['id']) => void;
  readonly onJoined: (accepted: AcceptedInvite) => void;
};

export function MyInvitations({ offers, onDeclined, onJoined }: MyInvitationsProps) {
  const { membership } = usePerson();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const join = async ({ id }: InviteOffer) => {
    setBusy(true);
    setProblem(null);
    const answer = await membership.acceptMyInvite(id);
    if (answer.ok) return onJoined(answer.value);
    setBusy(false);
    setProblem(textOf(answer.error));
  };
  const decline = async ({ id }: InviteOffer) => {
    setBusy(true);
    setProblem(null);
    const answer = await membership.declineInvite(id);
    setBusy(false);
    if (answer.ok) onDeclined(id);
    else setProblem(textOf(answer.error));
  };
  return (
    <section className="my-invitations" aria-labelledby="my-invitations">
      <h2 id="my-invitations">You’re invited</h2>
      <ul>
        {offers.map((offer) => (
          <li key={offer.id}>
            <p className="grow" id={`invitation-${offer.id}`}>
              <b>
                <bdi>{offer.workspace}</bdi>
              </b>
              <small>
                <bdi>{offer.inviter}</bdi> invited you{offer.role === 'guest' ? ' to a page' : ''}
              </small>
            </p>
            <Button
              size="small"
              look="primary"
              disabled={isBusy}
              aria-describedby={`invitation-${offer.id}`}
              onClick={() => void join(offer)}
            >
              Join
            </Button>
            <Button
              size="small"
              disabled={isBusy}
              aria-describedby={`invitation-${offer.id}`}
              onClick={() => void decline(offer)}
            >
              Decline
            </Button>
          </li>
        ))}
      </ul>
      {problem !== null && <p role="alert">{problem}</p>}
    </section>
  );
}
