// The first stop of the keyboard on a screen of a workspace: leads past the sidebar, on a page that may be edited to its text.
import type { MouseEvent, RefObject } from 'react';

export function SkipLink({ target }: { readonly target: RefObject<HTMLElement | null> }) {
  // Not by the address: its hash names a block of the page.
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    const body = target.current?.querySelector<HTMLElement>('[aria-label="Page body"][contenteditable="true"]');
    (body ?? target.current)?.focus();
  };
  return (
    <a className="skip-link" href="#page" onClick={skip}>
      Skip to the page
    </a>
  );
}
