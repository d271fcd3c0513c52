// The name of the watched page's presenter, for members. Watchers by link learn no names.
import { createContext } from 'react';

export type PresenterName = {
  readonly name: string;
  readonly color: string | null;
  readonly picture: string | null;
};

export const PresenterContext = createContext<PresenterName | null>(null);
