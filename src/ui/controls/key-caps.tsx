// Key names as a Mac's keyboard or other keyboards have them. Keys are given in ProseMirror's notation (`Mod` is Ctrl
// or Command).
import { Fragment } from 'react';

const CAPS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
};
const MAC_CAPS: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Enter: '↩', Tab: '⇥' };

/** The same test as prosemirror-keymap's, so that the help shows the keys that work. */
export const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iP(?:hone|[oa]d)/.test(navigator.platform);

export function keyCapsOf(keys: string, mac = isMac()): readonly string[] {
  // The last key may itself be the "-" that joins the keys.
  const [, modifiers = '', last = keys] = /^((?:\w+-)*)(.+)$/.exec(keys) ?? [];
  return [...modifiers.split('-').filter((part) => part !== ''), last].map((part) => {
    const cap = (mac ? MAC_CAPS[part] : undefined) ?? CAPS[part] ?? (part === 'Mod' ? 'Ctrl' : part);
    return cap.length === 1 ? cap.toUpperCase() : cap;
  });
}

/** All keys in one line, for menus. */
export const keysAsText = (keys: string): string => keyCapsOf(keys).join(' ');

/** Each key in an outlined cap. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <kbd className="key-caps">
      {keyCapsOf(keys).map((cap, at) => (
        <Fragment key={cap}>
          {at > 0 && ' '}
          <kbd>{cap}</kbd>
        </Fragment>
      ))}
    </kbd>
  );
}
