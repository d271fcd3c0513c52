// The form for a new link: its role, its expiry, a name to tell it from others, and whether it shows the history.
import { type FormEvent, useId, useState } from 'react';
import { type CreatedLink, SHARE_ROLES, type ShareLink } from '../../protocol/answers.ts';
import { MAX_NAME_LENGTH } from '../../protocol/limits.ts';
import type { Sharing } from '../../state/workspace/access/sharing.ts';
import { textOf } from '../../texts/error-texts.ts';
import { tooLongText } from '../../texts/field-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceMenu } from '../../ui/floating/choice-menu.tsx';
import { EXPIRY_CHOICES, type Expiry, expiresAt } from './link-expiry.ts';

const ACCESS_NAMES: Readonly<Record<ShareLink['role'], string>> = {
  viewer: 'Can watch',
  commenter: 'Can comment',
  editor: 'Can edit',
};
const ROLES = SHARE_ROLES.map((one) => [one, ACCESS_NAMES[one]] as const);
const EXPIRIES = EXPIRY_CHOICES.map(({ expiry, label }) => [expiry, label] as const);
const ACCESS_TEXTS: Readonly<Record<ShareLink['role'], string>> = {
  viewer: 'Anyone with the link sees the page live, without an account.',
  commenter: 'Anyone with the link can comment on the page, after giving a name or signing in.',
  editor: 'Anyone with the link can edit the page, after giving a name or signing in.',
};
const HISTORY_TEXTS = {
  watching: ' Its history has everything that was ever written here, without names.',
  joining: ' Its history has everything that was ever written here, and who wrote it.',
} as const;

type LinkFormProps = {
  readonly sharing: Sharing;
  readonly onCreated: (created: CreatedLink) => void;
  readonly onCancel: () => void;
};

export function NewLinkForm({ sharing, onCreated, onCancel }: LinkFormProps) {
  const id = useId();
  const [role, setRole] = useState<ShareLink['role']>('viewer');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [name, setName] = useState('');
  const [showsHistory, setShowsHistory] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const tooLong = tooLongText(name, MAX_NAME_LENGTH);
  const problem = tooLong ?? refusal;

  const create = async (event: FormEvent) => {
    event.preventDefault();
    if (tooLong !== null) return;
    setBusy(true);
    const answer = await sharing.create(role, expiresAt(expiry, Date.now()), name.trim() || null, showsHistory);
    setBusy(false);
    if (answer.ok) onCreated(answer.value);
    else setRefusal(textOf(answer.error));
  };

  return (
    <form className="share-link-form" aria-label="New link" noValidate onSubmit={(event) => void create(event)}>
      <div className="field">
        <label htmlFor={`${id}-access`}>Access</label>
        <ChoiceMenu
          label="Access"
          // The form replaces the button that was pressed.
          autoFocus
          id={`${id}-access`}
          describedBy={`${id}-what`}
          value={role}
          choices={ROLES}
          onChange={setRole}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-expires`}>Expires</label>
        <ChoiceMenu label="Expires" id={`${id}-expires`} value={expiry} choices={EXPIRIES} onChange={setExpiry} />
      </div>
      <div className="field">
        <label htmlFor={`${id}-name`}>Name (optional)</label>
        <input
          id={`${id}-name`}
          className="input"
          autoComplete="off"
          dir="auto"
          value={name}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setRefusal(null);
          }}
        />
      </div>
      <label className="access-links">
        <input
          type="checkbox"
          checked={showsHistory}
          aria-describedby={`${id}-what`}
          onChange={(event) => setShowsHistory(event.currentTarget.checked)}
        />
        Can see history
      </label>
      <small id={`${id}-what`}>{linkText(role, showsHistory)}</small>
      {problem !== null && (
        <p id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      <span className="share-link-buttons">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={isBusy}>
          Create link
        </Button>
      </span>
    </form>
  );
}

/** What the people with such a link can do and see. */
const linkText = (role: ShareLink['role'], showsHistory: boolean): string =>
  `${ACCESS_TEXTS[role]}${showsHistory ? HISTORY_TEXTS[role === 'viewer' ? 'watching' : 'joining'] : ''}`;
