// Adds someone to the page: a member or guest of the workspace by name, or anyone else by an invitation to their address.
import { type FormEvent, type RefObject, useId, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { DOCUMENT_ROLES, type DocumentRole } from 'weft-sync/protocol/roles.ts';
import { isEmail } from '../../lib/text/is-email.ts';
import type { CreatedInvite, PagePeople } from '../../protocol/people-answers.ts';
import { useApp, usePerson, useProfiles, useValue } from '../../state/hooks.ts';
import { INVITE_MAIL_TEXTS, type InviteMail, mailInvite } from '../../state/workspace/access/invite-mail.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import { inviteAddress } from '../../state/workspace/page-address.ts';
import { textOf } from '../../texts/error-texts.ts';
import { FIELD_TEXTS } from '../../texts/field-texts.ts';
import { PAGE_ROLE_NAMES } from '../../texts/role-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SuggestField } from '../../ui/controls/suggest-field.tsx';
import { CopyField } from '../../ui/feedback/copy-field.tsx';
import { ChoiceMenu } from '../../ui/floating/choice-menu.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { type AccessWords, alreadyText, isBelow, sourceElsewhere } from './access-text.ts';

type AddPeopleProps = {
  readonly people: PagePeopleState;
  readonly words: AccessWords;
  readonly origin: string;
  readonly field: RefObject<HTMLInputElement | null>;
};

type Candidate = { readonly user: UserId; readonly name: string; readonly isGuest: boolean };

const USUAL_ROLE: DocumentRole = 'editor';
const ROLES = DOCUMENT_ROLES.map((one) => [one, PAGE_ROLE_NAMES[one]] as const);
const MAX_SUGGESTIONS = 6;

export function AddPeople({ people, words, origin, field }: AddPeopleProps) {
  const note = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<UserId | null>(null);
  const [role, setRole] = useState<DocumentRole>(USUAL_ROLE);
  const { access } = useValue(people.atom);
  const candidates = useCandidates(people);
  const found = matching(candidates, typed);
  const { problem, setProblem, isBusy, added, invited, add, invite } = useAdding(people, words, () => {
    setTyped('');
    setChosen(null);
    setRole(USUAL_ROLE);
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim();
    const same = found.filter(({ name }) => fold(name) === fold(text));
    const person = candidates.find(({ user }) => user === chosen) ?? onlyOne(same) ?? onlyOne(found);
    if (text === '') return setProblem('Enter a name or an email address.');
    if (person !== null) return void add(person, role);
    if (isEmail(text)) return void invite(text, role);
    if (text.includes('@')) return setProblem(FIELD_TEXTS.badEmail);
    setProblem(
      found.length > 0
        ? 'Several people match. Choose one of them.'
        : `No one in ${words.workspace} has this name. To invite someone else, enter their email address.`,
    );
  };

  return (
    <>
      <form className="add-people" noValidate onSubmit={send}>
        <SuggestField
          ref={field}
          label="Name or email"
          text={typed}
          suggestions={found.slice(0, MAX_SUGGESTIONS).map(({ user, name, isGuest }) => {
            const now = accessOf(access, user);
            const what = now === undefined ? null : PAGE_ROLE_NAMES[now.role];
            return { id: user, name, note: isGuest ? (what ?? 'Guest') : what, icon: <Tag user={user} name={name} /> };
          })}
          isWrong={problem !== null}
          describedBy={problem === null ? undefined : note}
          onType={(text) => {
            setTyped(text);
            setChosen(null);
            setProblem(null);
          }}
          onChoose={({ id, name }) => {
            setTyped(name);
            setChosen(candidates.find(({ user }) => user === id)?.user ?? null);
          }}
        />
        <ChoiceMenu label="Role" value={role} choices={ROLES} onChange={setRole} />
        <Button type="submit" look="primary" disabled={isBusy}>
          Add
        </Button>
      </form>
      {problem !== null && (
        <p id={note} className="add-problem" role="alert">
          {problem}
        </p>
      )}
      <p role="status" className="sr-only">
        {added}
      </p>
      {invited !== null && <InviteLink invited={invited} origin={origin} />}
    </>
  );
}

type Invited = CreatedInvite & { readonly mail: InviteMail };

/** Adds people of the workspace and invites others. `onDone` runs after each that worked. */
function useAdding(people: PagePeopleState, words: AccessWords, onDone: () => void) {
  const { account } = useApp();
  const { access } = useValue(people.atom);
  const [problem, setProblem] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const [invited, setInvited] = useState<Invited | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** `run` resolves with what went wrong, or null. */
  const write = async (run: () => Promise<string | null>) => {
    setBusy(true);
    setProblem(null);
    setAdded(null);
    const failure = await run();
    setBusy(false);
    setProblem(failure);
    if (failure === null) onDone();
  };
  const add = ({ user, name }: Candidate, role: DocumentRole) =>
    write(async () => {
      const now = accessOf(access, user);
      const elsewhere = now === undefined ? null : sourceElsewhere(now);
      if (elsewhere !== null && isBelow(role, elsewhere.role)) return alreadyText(name, elsewhere, words);
      const answer = await people.setRole(user, role);
      if (!answer.ok) return textOf(answer.error);
      setAdded(`${name} ${PAGE_ROLE_NAMES[role].toLowerCase()}.`);
      return null;
    });
  const invite = (email: string, role: DocumentRole) =>
    write(async () => {
      const answer = await people.invite(email, role);
      if (!answer.ok) return textOf(answer.error);
      setInvited({ ...answer.value, mail: await mailInvite(account, email) });
      return null;
    });
  return { problem, setProblem, isBusy, added, invited, add, invite };
}

const accessOf = (access: PagePeople | null, user: UserId) => access?.people.find((one) => one.user === user);

function InviteLink({ invited, origin }: { readonly invited: Invited; readonly origin: string }) {
  return (
    <div className="new-link">
      <p>
        {INVITE_MAIL_TEXTS[invited.mail]} It works once, for <b>{invited.invite.email}</b> only, for 7 days.
      </p>
      <CopyField key={invited.invite.id} label="Invite link" value={inviteAddress(origin, invited.secret)} isSelected />
    </div>
  );
}

function Tag({ user, name }: { readonly user: UserId; readonly name: string }) {
  const profile = useProfiles().get(user);
  return <PersonTag name={name} color={profile?.color ?? null} picture={profile?.avatarPath} />;
}

/** Everyone in the workspace but this person whose name is loaded, in the order of the names. */
function useCandidates(state: PagePeopleState): readonly Candidate[] {
  const { identity, people } = usePerson();
  const profiles = useValue(people.atom);
  const { members } = useValue(state.atom);
  return members
    .flatMap(({ user, role }) => {
      const name = profiles.get(user)?.displayName;
      return name === undefined || user === identity.id ? [] : [{ user, name, isGuest: role === 'guest' }];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

const fold = (text: string): string => text.trim().normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
const onlyOne = <T,>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null);

/** People whose name begins with the typed text, then people with another word that does, then names that contain it. */
function matching(candidates: readonly Candidate[], typed: string): readonly Candidate[] {
  const wanted = fold(typed);
  if (wanted === '') return [];
  const rank = ({ name }: Candidate) => {
    const at = fold(name).indexOf(wanted);
    if (at <= 0) return at === 0 ? 0 : 3;
    return ` ${fold(name)}`.includes(` ${wanted}`) ? 1 : 2;
  };
  return candidates.filter((one) => rank(one) < 3).sort((a, b) => rank(a) - rank(b));
}
