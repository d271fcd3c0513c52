// Asks the browser, once per profile, not to evict this site's storage when the disk is full. The answer changes
// nothing here: edits are sent as soon as possible anyway.

import { deviceStorage } from 'weft-sync/browser/storage/shared-storage.ts';

const KEY = 'weft:asked-to-persist';

/**
 * Called after the first local edit, because a reader has nothing that exists only here. Some browsers ask the person.
 * No one waits for the answer.
 */
export function askToPersistOnce(
  storage: Pick<Storage, 'getItem' | 'setItem'> = deviceStorage,
  // Undefined outside a secure context, whatever the types say.
  manager: Pick<StorageManager, 'persist'> | undefined = navigator.storage,
): void {
  if (manager === undefined || storage.getItem(KEY) !== null) return;
  try {
    // Set it before the answer comes, so that an unanswered question is not asked again.
    storage.setItem(KEY, 'asked');
  } catch {
    return;
  }
  manager.persist().catch(() => undefined);
}
