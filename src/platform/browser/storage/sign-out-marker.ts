// Says to every tab that somebody signed out here after this fence was put up: what a store made before keeps would
// be written for nobody. A mark in localStorage, because a tab can read it before a write without waiting.

import { deviceStorage } from './shared-storage.ts';

export interface SignOutMarker {
  /** Somebody signed out since; nothing may be written any more. */
  isSet(): boolean;
  /** From now on it is passed, in every tab. */
  set(): void;
}

/** Put up when a person's stores are made; a sign-in afterwards puts up a new one. */
export function signOutMarker(
  project: string,
  storage: Pick<Storage, 'getItem' | 'setItem'> = deviceStorage,
): SignOutMarker {
  // Without the person in it: this one key stays.
  const key = `weft:signed-out:${project}`;
  const before = storage.getItem(key);
  let isPassedHere = false;
  return {
    isSet: () => isPassedHere || storage.getItem(key) !== before,
    set() {
      isPassedHere = true;
      try {
        storage.setItem(key, `${Date.now()}.${Math.random()}`);
      } catch {
        // Full: the other tabs still see their databases go.
      }
    },
  };
}
