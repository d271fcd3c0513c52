// The name of the watched page's presenter, for members. For watchers by link, who learn no names, it is null.
import { createContext } from 'react';

export type PresenterName = {
  readonly name: string;
  readonly color: string | null;
  readonly picture: string | null;
};

export const PresenterContext = createContext<PresenterName | null>(null);
