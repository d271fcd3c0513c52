// Tells every tab that someone signed out on this device since the marker was read. Stores that were opened before
// must not write any more. The marker is in localStorage, because a tab can read that synchronously before each write.

import { deviceStorage } from './shared-storage.ts';

export interface SignOutMarker {
  /** Someone signed out since then. Nothing may be written any more. */
  isSet(): boolean;
  /** Marks the sign-out for every tab. */
  set(): void;
}

/** Reads the marker when a person's stores are opened. A later sign-in reads it again. */
export function signOutMarker(project: string): SignOutMarker {
  // The key does not name the person, because it stays after the sign-out.
  const key = `weft:signed-out:${project}`;
  const before = deviceStorage.getItem(key);
  let isSetHere = false;
  return {
    isSet: () => isSetHere || deviceStorage.getItem(key) !== before,
    set() {
      isSetHere = true;
      // If storage is full, the other tabs still notice that their databases are deleted.
      deviceStorage.setItem(key, `${Date.now()}.${Math.random()}`);
    },
  };
}
