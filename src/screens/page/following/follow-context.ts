// Whom this person follows on the open page, and whether this person presents it. The bar rings a followed person's
// tag, and the page keeps their place in view.
import { createContext } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';

/** `asPresenter`: the following ends with the presentation. */
export type Followed = { readonly user: UserId; readonly asPresenter: boolean };

export type Following = {
  readonly followed: Followed | null;
  readonly follow: (followed: Followed | null) => void;
  /** This person wants to present; the server may refuse. */
  readonly isPresenting: boolean;
  readonly setPresenting: (isOn: boolean) => void;
};

export const FollowContext = createContext<Following>({
  followed: null,
  follow: () => undefined,
  isPresenting: false,
  setPresenting: () => undefined,
});
