// The type of a Jotai store. There is one per signed-in person, and never the default store.
import type { createStore } from 'jotai/vanilla';

export type AtomStore = ReturnType<typeof createStore>;
