// localStorage that never fails: if it is full or blocked, values live in this tab. We pass it to auth-js, which
// otherwise treats a full localStorage as an empty one, forgets the stored sign-in and makes calls without a user.
export type SharedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  /** The names stored on the device. */
  readonly names: () => readonly string[];
};

/** `local` may throw, as `window.localStorage` does where site data is blocked. */
export function sharedStorage(local: () => Storage): SharedStorage {
  const inThisTab = new Map<string, string>();
  const tryStorage = <T>(run: (storage: Storage) => T): T | null => {
    try {
      return run(local());
    } catch {
      return null;
    }
  };
  const trySet = (name: string, value: string) =>
    tryStorage((storage) => {
      storage.setItem(name, value);
      return true;
    }) === true;
  return {
    // The device comes first: another tab may have stored something newer.
    getItem: (name) => tryStorage((storage) => storage.getItem(name)) ?? inThisTab.get(name) ?? null,
    setItem(name, value) {
      inThisTab.delete(name);
      if (trySet(name, value)) return;
      // An outdated token is worse than none: using it twice ends the sign-in on every device.
      tryStorage((storage) => storage.removeItem(name));
      if (!trySet(name, value)) inThisTab.set(name, value);
    },
    removeItem(name) {
      inThisTab.delete(name);
      tryStorage((storage) => storage.removeItem(name));
    },
    names: () => tryStorage((storage) => Object.keys(storage)) ?? [],
  };
}

export const deviceStorage: SharedStorage = sharedStorage(() => localStorage);
