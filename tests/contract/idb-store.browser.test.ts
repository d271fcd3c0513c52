import { idbStore } from '../../src/platform/browser/idb-store.ts';
import { parseUserId } from '../../src/protocol/ids.ts';
import { storeContract } from './store.contract.ts';

const user = parseUserId('b0000000-0000-4000-8000-000000000001');
let devices = 0;

storeContract(() => {
  if (user === null) throw new Error('malformed id in a test');
  const project = `contract-${Date.now()}-${++devices}`;
  return { fresh: idbStore(project, user), again: () => idbStore(project, user) };
});
