// A field with a few choices: a button that shows the chosen one and opens a menu of all.
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Button } from '../controls/button.tsx';
import { Menu, MenuCheckItem } from './menu.tsx';

type ChoiceMenuProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, name: string])[];
  readonly onChange: (value: T) => void;
  /** The id of the button, for a `<label>`. */
  readonly id?: string;
  readonly describedBy?: string;
  readonly autoFocus?: boolean;
};

export function ChoiceMenu<T extends string>({ label, value, choices, onChange, ...button }: ChoiceMenuProps<T>) {
  const name = choices.find(([one]) => one === value)?.[1];
  return (
    <Menu
      align="end"
      trigger={
        <Button
          className="choice"
          id={button.id}
          autoFocus={button.autoFocus}
          aria-label={`${label}: ${name}`}
          aria-describedby={button.describedBy}
        >
          {name}
          <ChevronDown className="icon" />
        </Button>
      }
    >
      {choices.map(([one, text]) => (
        <MenuCheckItem key={one} checked={one === value} onCheckedChange={() => onChange(one)}>
          {text}
        </MenuCheckItem>
      ))}
    </Menu>
  );
}
