// The type of Jotai's store: one per signed-in person, made by whoever owns it; never the default one.
import type { createStore } from 'jotai/vanilla';

export type Store = ReturnType<typeof createStore>;
