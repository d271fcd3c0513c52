// Shown when someone who is not signed in opens a link to edit or comment: asks them to sign in, to
// create an account or, if the project allows it, to continue as a guest.
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { DocumentRole } from 'weft-sync/protocol/roles.ts';
import { EntryLayout } from '../../features/account/sign-in/entry-layout.tsx';
import { returnAddressFrom } from '../../features/account/sign-in/return-address.ts';
import type { SignInProblem } from '../../protocol/errors.ts';
import { MAX_NAME_LENGTH } from '../../protocol/limits.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { useApp } from '../../state/hooks.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { SIGN_IN_TEXTS } from '../../texts/sign-in-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

type JoinByLinkProps = { readonly title: string; readonly role: DocumentRole | null };

export function JoinByLink({ title, role }: JoinByLinkProps) {
  const { account } = useApp();
  const returnAddress = returnAddressFrom(useLocation());
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const continueAsGuest = async (form: FormData) => {
    setBusy(true);
    const done = await account.continueAsGuest(String(form.get('name') ?? '').trim());
    setBusy(false);
    if (!done.ok) setProblem(done.error.problem);
  };
  return (
    <EntryLayout foot={<span />}>
      <TabTitle title={title} />
      <div className="entry-body">
        <h1>“{shownTitle(title)}”</h1>
        <p>
          This link lets you {role === 'editor' ? 'edit this page' : 'comment on this page'}. Others see your name
          beside your words, so say who you are first.
        </p>
        {problem !== null && <p role="alert">{SIGN_IN_TEXTS[problem]}</p>}
        <Link className="btn" data-look="primary" data-size="wide" to="/sign-in" state={returnAddress}>
          Sign in
        </Link>
        <Link className="btn" data-size="wide" to="/sign-up" state={returnAddress}>
          Create account
        </Link>
        {account.allowsGuests && (
          <Form onSend={(form) => void continueAsGuest(form)}>
            <span className="or">or</span>
            <TextField label="Your name" name="name" maxCharacters={MAX_NAME_LENGTH} autoComplete="name" />
            <Button type="submit" size="wide" disabled={isBusy}>
              Continue as guest
            </Button>
          </Form>
        )}
      </div>
    </EntryLayout>
  );
}
