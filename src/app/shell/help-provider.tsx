// The help sheet, from everywhere somebody is signed in: by its keys, and by menus through `useHelp`. Loaded when it is first
// asked for.
import { type ReactNode, Suspense, createContext, lazy, useContext, useEffect, useState } from 'react';

const HelpSheet = lazy(async () => ({ default: (await import('./help-sheet.tsx')).HelpSheet }));
const HelpContext = createContext<() => void>(() => undefined);

/** Opens the help sheet. */
export const useHelp = (): (() => void) => useContext(HelpContext);

export function HelpProvider({ children }: { readonly children: ReactNode }) {
  const [wasAsked, setAsked] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!asksForHelp(event)) return;
      event.preventDefault();
      setAsked(true);
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <HelpContext
      value={() => {
        setAsked(true);
        setOpen(true);
      }}
    >
      {children}
      {wasAsked && (
        <Suspense fallback={null}>
          <HelpSheet open={isOpen} onOpenChange={setOpen} />
        </Suspense>
      )}
    </HelpContext>
  );
}

/** "?" where it would write nothing, and with Ctrl anywhere: in a text "?" is a question. */
function asksForHelp(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.altKey) return false;
  // On some keyboards "?" is on another key than "/": the sign decides, and for the others the key.
  const isQuestionMark = event.key === '?' || (event.code === 'Slash' && event.shiftKey);
  if (event.ctrlKey || event.metaKey) return isQuestionMark;
  return event.key === '?' && !isWriting(event.target);
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // In an open menu a letter looks for an item.
  return target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null;
}
