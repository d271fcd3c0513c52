// Chooses the theme: light, dark, or the system's.
import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useId } from 'react';
import type { Theme } from '../../../ports/device.ts';
import { useApp, useAppValue } from '../../../state/hooks.ts';

const THEMES: readonly { readonly theme: Theme; readonly name: string; readonly Icon: typeof Sun }[] = [
  { theme: 'system', name: 'System', Icon: Monitor },
  { theme: 'light', name: 'Light', Icon: Sun },
  { theme: 'dark', name: 'Dark', Icon: Moon },
];

export function ThemePicker() {
  const id = useId();
  const { setTheme } = useApp();
  const theme = useAppValue((app) => app.themeAtom);
  return (
    <div className="field">
      <span className="label" id={id}>
        Theme
      </span>
      <ToggleGroup
        className="segments"
        aria-labelledby={id}
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
