// Who presents the watched page, for members; whoever watches by a link learns no names.
import { createContext } from 'react';

export type PresenterName = {
  readonly name: string;
  readonly color: string | null;
  readonly picture: string | null;
};

export const PresenterContext = createContext<PresenterName | null>(null);
