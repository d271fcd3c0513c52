// localStorage for what must not fail: where it is full or blocked, values live in this tab. Handed to auth-js, which
// left to itself takes a full localStorage for none, forgets the sign-in that is in it, and calls as nobody.
export type SharedStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  /** Of what is on the device. */
  readonly names: () => readonly string[];
};

/** `local` may throw when it is asked for, as `window.localStorage` does where site data is blocked. */
export function sharedStorage(local: () => Storage): SharedStorage {
  const inThisTab = new Map<string, string>();
  const attempt = <T>(run: (storage: Storage) => T): T | null => {
    try {
      return run(local());
    } catch {
      return null;
    }
  };
  const isSet = (name: string, value: string) =>
    attempt((storage) => {
      storage.setItem(name, value);
      return true;
    }) === true;
  return {
    // The device first: another tab may have found room for something newer.
    getItem: (name) => attempt((storage) => storage.getItem(name)) ?? inThisTab.get(name) ?? null,
    setItem(name, value) {
      inThisTab.delete(name);
      if (isSet(name, value)) return;
      // An outdated token is worse than none: used twice, it ends the sign-in on every device.
      attempt((storage) => storage.removeItem(name));
      if (!isSet(name, value)) inThisTab.set(name, value);
    },
    removeItem(name) {
      inThisTab.delete(name);
      attempt((storage) => storage.removeItem(name));
    },
    names: () => attempt((storage) => Object.keys(storage)) ?? [],
  };
}

export const deviceStorage: SharedStorage = sharedStorage(() => localStorage);
