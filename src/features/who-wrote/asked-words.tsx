// The dialogs about the words that someone selected: who wrote them, and whether to erase them for good.
import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import type { Session } from 'weft-sync/session/session-api.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { WhoWroteDialog } from './who-wrote-dialog.tsx';

type AskedWordsProps = {
  readonly asked: { readonly editor: Editor; readonly erase: boolean };
  readonly mayErase: boolean;
  readonly session: Session;
  /** The page's path. */
  readonly path: string;
  readonly onClose: () => void;
};

export function AskedWords({ asked: { editor, erase }, mayErase, session, path, onClose }: AskedWordsProps) {
  const [isErasing, setErasing] = useState(erase);
  return isErasing ? (
    <EraseDialog {...{ editor, session, onClose }} />
  ) : (
    <WhoWroteDialog {...{ editor, session, path, onClose }} onErase={mayErase ? () => setErasing(true) : null} />
  );
}
