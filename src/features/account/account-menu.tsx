// At the foot of the tree: who you are here, how others see you, the theme, the way out.
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Settings from 'lucide-react/icons/settings';
import Sun from 'lucide-react/icons/sun';
import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { useState } from 'react';
import { useApp, useAppValue, usePerson, useValue } from '../../state/hooks.ts';
import type { Theme } from '../../state/ports.ts';
import { Button } from '../../ui/button.tsx';
import { PersonTag } from '../../ui/person-tag.tsx';
import { Popover } from '../../ui/popover.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';
import './account.css';

export function AccountMenu() {
  const { identity, people } = usePerson();
  const me = useValue(people.atom).get(identity.id);
  const [isOpen, setOpen] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const name = me?.displayName ?? identity.email ?? 'Guest';
  return (
    <>
      <Popover
        label="Account"
        className="account"
        side="top"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="account-button" aria-label={`Account of ${name}`}>
            <PersonTag name={name} dye={me?.color ?? null} />
            <span className="grow cut">{name}</span>
            <Settings className="icon" />
          </button>
        }
      >
        {me === undefined ? <p className="soft">{name}</p> : <ProfileForm profile={me} />}
        <ThemePicker />
        <footer>
          <span className="grow cut soft">{identity.email ?? 'Guest on this device'}</span>
          <Button
            size="small"
            look="stop"
            onClick={() => {
              setOpen(false);
              setLeaving(true);
            }}
          >
            Sign out
          </Button>
        </footer>
      </Popover>
      {isLeaving && <SignOutDialog onStay={() => setLeaving(false)} />}
    </>
  );
}

const THEMES: readonly { readonly theme: Theme; readonly name: string; readonly Icon: typeof Sun }[] = [
  { theme: 'system', name: 'System', Icon: Monitor },
  { theme: 'light', name: 'Light', Icon: Sun },
  { theme: 'dark', name: 'Dark', Icon: Moon },
];

function ThemePicker() {
  const { setTheme } = useApp();
  const theme = useAppValue((app) => app.themeAtom);
  return (
    <div className="field">
      <span className="label" id="theme-label">
        Theme
      </span>
      <ToggleGroup
        className="segments"
        aria-labelledby="theme-label"
        value={[theme]}
        onValueChange={([next]) => {
          const chosen = THEMES.find((one) => one.theme === next);
          if (chosen !== undefined) setTheme(chosen.theme);
        }}
      >
        {THEMES.map(({ theme: value, name, Icon }) => (
          <Toggle key={value} value={value}>
            <Icon className="icon" />
            {name}
          </Toggle>
        ))}
      </ToggleGroup>
    </div>
  );
}
