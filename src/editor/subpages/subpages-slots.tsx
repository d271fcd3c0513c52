// Fills the blocks “Subpages” of an editor.
import type { Editor } from '@tiptap/core';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { SubpagesList } from './subpages-list.tsx';
import { subpagesSlotsOf } from './subpages-view.ts';

export function SubpagesPortals({ editor }: { readonly editor: Editor }) {
  const slots = subpagesSlotsOf(editor.view);
  // The elements have no ids, so the key is their index.
  return useSyncExternalStore(slots.subscribe, slots.get).map((element, at) =>
    createPortal(<SubpagesList />, element, String(at)),
  );
}
