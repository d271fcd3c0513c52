import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { storeContract } from './store.contract.ts';

storeContract(() => {
  const store = new MemoryStore();
  return { fresh: store, again: () => store };
});
