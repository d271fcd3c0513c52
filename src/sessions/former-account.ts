// The part of `src/app/wire` that loads when an account is used on this device after another one that never signed out here:
// moves what is here of the former account to the new one, or deletes it.
import { browserRandom } from 'weft-sync/browser/clock.ts';
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import type { Store } from 'weft-sync/ports.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { listCache } from '../platform/browser/storage/list-cache.ts';
import { moveAccount, movingOnce } from '../platform/browser/storage/move-account.ts';
import { type WeftDatabase, weftDatabase } from '../platform/browser/storage/weft-database.ts';
import type { RememberedIdentity } from '../platform/supabase/remembered-identity.ts';
import { PAGE_LISTS } from '../state/workspace/page-list.ts';
import { forgetTexts } from '../ui/browser/stored-texts.ts';
import { setAsideStored } from './stored-copy.ts';
import '../yjs/install.ts';

/** Resolves to the lists of pages that the former account had; to none if another tab has moved it. */
export const moveFormer = (
  account: UserId,
  { project, ...to }: { readonly project: string; readonly database: WeftDatabase; readonly store: Store },
  remembered: RememberedIdentity,
): Promise<readonly unknown[]> =>
  movingOnce(project, account, async () => {
    // Another tab may have moved it meanwhile.
    if (remembered.former().every(({ id }) => id !== account)) return [];
    const database = weftDatabase(project, account);
    const lists = listCache(project, account);
    const pageLists = await lists.all(PAGE_LISTS);
    const from = { database, store: idbStore(database.log) };
    await moveAccount(from, to, (page) => setAsideStored(page, browserRandom));
    await lists.remove();
    remembered.forgetFormer(account);
    return pageLists;
  });

export async function discardFormer(account: UserId, project: string, remembered: RememberedIdentity): Promise<void> {
  await Promise.all([weftDatabase(project, account).database.remove(), listCache(project, account).remove()]);
  forgetTexts(account);
  remembered.forgetFormer(account);
}
