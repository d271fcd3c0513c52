// Whom this person follows on the open page. The bar rings their tag, and the page keeps their place in view.
import { createContext } from 'react';
import type { UserId } from '../../../protocol/ids.ts';

type Following = {
  readonly followed: UserId | null;
  /** Null ends it. */
  readonly follow: (user: UserId | null) => void;
};

export const FollowContext = createContext<Following>({ followed: null, follow: () => undefined });
