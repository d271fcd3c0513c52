// Asks the browser, once per profile, not to clear this site's storage when the disk runs full. What it answers changes
// nothing here: edits are sent as soon as they can be.

import { deviceStorage } from './shared-storage.ts';

const KEY = 'weft:asked-to-persist';

/** After the first own edit: a reader has nothing that is only here. Some browsers ask the person; nobody waits. */
export function askToPersistOnce(
  storage: Pick<Storage, 'getItem' | 'setItem'> = deviceStorage,
  // Undefined without a secure context, whatever the types say.
  manager: Pick<StorageManager, 'persist'> | undefined = navigator.storage,
): void {
  if (manager === undefined || storage.getItem(KEY) !== null) return;
  try {
    // Before the answer: a question that is left open is not put again.
    storage.setItem(KEY, 'asked');
  } catch {
    return;
  }
  manager.persist().catch(() => undefined);
}
