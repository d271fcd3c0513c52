// Opens the keyboard help by its shortcut, and from menus through `useHelp`. Its code loads when it is first opened.
import { type ReactNode, createContext, useContext, useEffect, useState } from 'react';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';

const HelpSheet = latePart(async () => (await import('./help-sheet.tsx')).HelpSheet);
const HelpContext = createContext<() => void>(() => undefined);

/** Returns a function that opens the help. */
export const useHelp = (): (() => void) => useContext(HelpContext);

export function HelpProvider({ children }: { readonly children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isHelpShortcut(event)) return;
      event.preventDefault();
      setWasOpened(true);
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <HelpContext
      value={() => {
        setWasOpened(true);
        setOpen(true);
      }}
    >
      {children}
      {wasOpened && <HelpSheet open={isOpen} onOpenChange={setOpen} />}
    </HelpContext>
  );
}

/** "?" outside of text fields, and Ctrl with "?" everywhere: in a text, "?" is a character. */
function isHelpShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isComposing(event) || event.altKey) return false;
  // Keyboards differ in where "?" is: accept the character, and the key that has "?" on US keyboards.
  const isQuestionMark = event.key === '?' || (event.code === 'Slash' && event.shiftKey);
  if (event.ctrlKey || event.metaKey) return isQuestionMark;
  return event.key === '?' && !isTextField(event.target);
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // In an open menu a typed character searches the items.
  return target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null;
}
