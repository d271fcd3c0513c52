// Keys as they stand on the keyboard in front of the person: written as ProseMirror writes them, `Mod` is Ctrl or Command.
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

/** As the editor's keymap decides it. */
const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iP(?:hone|[oa]d)/.test(navigator.platform);

export function keyCapsOf(keys: string, mac = isMac()): readonly string[] {
  // The last one may be the sign that joins them.
  const [, modifiers = '', last = keys] = /^((?:\w+-)*)(.+)$/.exec(keys) ?? [];
  return [...modifiers.split('-').filter((part) => part !== ''), last].map((part) => {
    const cap = (mac ? MAC_CAPS[part] : undefined) ?? CAPS[part] ?? (part === 'Mod' ? 'Ctrl' : part);
    return cap.length === 1 ? cap.toUpperCase() : cap;
  });
}

/** In one line, as menus show them. */
export const keysAsText = (keys: string): string => keyCapsOf(keys).join(' ');

/** Outlined caps. */
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
