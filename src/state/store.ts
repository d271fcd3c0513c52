// The type of a Jotai store. The app has one and each signed-in person another, never the default store.
import type { createStore } from 'jotai/vanilla';

export type AtomStore = ReturnType<typeof createStore>;
