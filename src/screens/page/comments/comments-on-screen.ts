// Whether the comments of the open page are on the screen. The bar's button shows them, and so do commented words.
import { createContext, useCallback, useState } from 'react';
import { useShell } from '../../../shell/shell-context.ts';
import { useMedia } from '../../../ui/browser/use-media.ts';

export type CommentsOnScreen = {
  readonly isShown: boolean;
  readonly show: (isShown: boolean) => void;
  /** Whether they fit beside the text; otherwise they stand below it. */
  readonly hasLane: boolean;
};

export const CommentsOnScreenContext = createContext<CommentsOnScreen>({
  isShown: false,
  show: () => undefined,
  hasLane: false,
});

/** Wide enough for the text and the comments, and for the sidebar too. */
const HAS_LANE = '(min-width: 900px)';
const HAS_LANE_AND_SIDEBAR = '(min-width: 1180px)';
const KEY = 'weft.comments';

export function useCommentsOnScreen(): CommentsOnScreen {
  const { isSidebarOpen, toggleSidebar } = useShell();
  const [isWide, isWider] = [useMedia(HAS_LANE), useMedia(HAS_LANE_AND_SIDEBAR)];
  const hasLane = isSidebarOpen ? isWider : isWide;
  const [isShown, setShown] = useState(() => hasLane && wereShown());
  const show = useCallback(
    (shown: boolean) => {
      setShown(shown);
      remember(shown);
      if (shown && !isShown && isWide && !hasLane) toggleSidebar();
    },
    [isShown, isWide, hasLane, toggleSidebar],
  );
  return { isShown, show, hasLane };
}

/** Whether they were on this device's screen last. */
function wereShown(): boolean {
  try {
    return localStorage.getItem(KEY) === 'shown';
  } catch {
    return false;
  }
}

function remember(isShown: boolean): void {
  try {
    if (isShown) localStorage.setItem(KEY, 'shown');
    else localStorage.removeItem(KEY);
  } catch {
    // They are hidden when the next page opens.
  }
}
