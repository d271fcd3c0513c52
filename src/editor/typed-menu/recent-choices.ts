// The latest choices in a menu, stored on this device. Where nothing can be stored, they last as long as the tab.
const MAX_STORED = 8;

export interface RecentChoices {
  /** Ids, latest first. */
  readonly get: () => readonly string[];
  readonly add: (id: string) => void;
}

export function recentChoices(key: string): RecentChoices {
  /** Null unless the last choice could not be stored. */
  let unstored: readonly string[] | null = null;
  const get = () => unstored ?? read(key);
  return {
    get,
    add(id) {
      const ids = [id, ...get().filter((one) => one !== id)].slice(0, MAX_STORED);
      try {
        localStorage.setItem(key, JSON.stringify(ids));
        unstored = null;
      } catch {
        unstored = ids;
      }
    },
  };
}

function read(key: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((id): id is string => typeof id === 'string').slice(0, MAX_STORED)
      : [];
  } catch {
    return [];
  }
}
