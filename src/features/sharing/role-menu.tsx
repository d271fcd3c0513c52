// The role of one person on the page: a menu that changes it, or removes them.
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import UserMinus from 'lucide-react/icons/user-minus';
import { DOCUMENT_ROLES, type DocumentRole } from 'weft-sync/protocol/roles.ts';
import type { PagePeopleState } from '../../state/workspace/access/page-people.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { PAGE_ROLE_NAMES } from '../../texts/role-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { toast, toastWithUndo } from '../../ui/floating/toast.tsx';
import {
  type AccessWords,
  PAGE_ROLE_TEXTS,
  type PersonAccess,
  ROLE_VERBS,
  alreadyText,
  isBelow,
  sourceElsewhere,
} from './access-text.ts';

type RoleMenuProps = {
  readonly person: PersonAccess;
  readonly name: string;
  readonly words: AccessWords;
  readonly people: PagePeopleState;
};

export function RoleMenu({ person, name, words, people }: RoleMenuProps) {
  const label = PAGE_ROLE_NAMES[person.role];
  const elsewhere = sourceElsewhere(person);
  const kinds = person.sources.map(({ kind }) => kind);
  const isRemovable = kinds.includes('page') || kinds.includes('link');
  const before = person.sources.find(({ kind }) => kind === 'page')?.role ?? null;
  const change = async (role: DocumentRole | null) => {
    const problem = problemOf(await people.setRole(person.user, role));
    if (problem !== null) return toast(problem);
    const says =
      role === null
        ? `${name} was removed from this page`
        : `${name} can ${ROLE_VERBS[role]}${role === 'commenter' ? ' on' : ''} this page`;
    // A role by a link goes with the one on the page, and only the link gives it again.
    if (kinds.includes('link')) toast(says);
    else toastWithUndo(says, async () => problemOf(await people.setRole(person.user, before)));
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button look="plain" className="access-role" aria-label={`${label}, ${name}`}>
          {label}
          <ChevronDown className="icon" />
        </Button>
      }
    >
      {DOCUMENT_ROLES.map((role) => (
        <RoleItem
          key={role}
          role={role}
          isChosen={role === person.role}
          reason={elsewhere !== null && isBelow(role, elsewhere.role) ? alreadyText(name, elsewhere, words) : null}
          onChoose={() => void change(role)}
        />
      ))}
      {isRemovable && (
        <>
          <MenuSeparator />
          <MenuItem icon={<UserMinus className="icon" />} isDanger onSelect={() => void change(null)}>
            <span className="menu-words">
              Remove access
              {elsewhere !== null && <small>They can still {ROLE_VERBS[elsewhere.role]} it.</small>}
              {elsewhere === null && words.hasLinks && <small>Anyone with a link can still open it.</small>}
            </span>
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

type RoleItemProps = {
  readonly role: DocumentRole;
  readonly isChosen: boolean;
  /** The reason why it cannot be chosen. */
  readonly reason: string | null;
  readonly onChoose: () => void;
};

function RoleItem({ role, isChosen, reason, onChoose }: RoleItemProps) {
  return (
    <MenuItem
      icon={isChosen ? <Check className="icon" aria-label="Chosen" /> : <span className="icon" />}
      disabled={reason !== null}
      onSelect={isChosen ? () => undefined : onChoose}
    >
      <span className="menu-words">
        {PAGE_ROLE_NAMES[role]}
        <small>{reason ?? PAGE_ROLE_TEXTS[role]}</small>
      </span>
    </MenuItem>
  );
}
