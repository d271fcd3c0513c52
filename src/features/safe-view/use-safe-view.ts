// Decides whether a page opens in the editor or in the safe view: `?safe` in its address, a page that is or was too
// long, or a last attempt on this device that failed.
import { useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { MAX_EDITOR_UNITS, pageLengthOf } from 'weft-document/body/page-length.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { isSafeViewSearch } from '../../state/workspace/page-address.ts';
import { didOpeningFail, forgetFailedOpening, openingMark } from './opening-marker.ts';
import type { SafeViewReason } from './safe-page.tsx';

/** `reason` is null if the page opens in the editor. `open` opens it there; null: it is too long for that. */
export type SafeViewState = { readonly reason: SafeViewReason | null; readonly open: (() => void) | null };

export function useSafeView(session: Session): SafeViewState {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [didFail, setFailed] = useState(() => didOpeningFail(session.documentId));
  const doc = useSyncExternalStore(session.subscribe, () => session.doc);
  const length = pageLengthOf(doc, MAX_EDITOR_UNITS);
  const state = useSyncExternalStore(length.subscribe, length.get);
  const isAsked = isSafeViewSearch(search);
  const open = () => {
    forgetFailedOpening(session.documentId);
    setFailed(false);
    length.reset();
    if (isAsked) void navigate({ pathname, hash }, { replace: true });
  };
  // Once enough is deleted, the person decides when to leave the list.
  const reason = isAsked ? 'asked' : state !== 'short' ? 'large' : didFail ? 'failed' : null;
  return { reason, open: state === 'long' ? null : open };
}

/** Marks the opening of the page: draw nothing of it until `isMarked`, and call `onDrawn` once it is drawn. */
export function useOpeningMark({ documentId }: Session): { readonly isMarked: boolean; readonly onDrawn: () => void } {
  const [mark] = useState(() => openingMark(documentId));
  return { isMarked: useSyncExternalStore(mark.subscribe, mark.isSet), onDrawn: mark.clear };
}
