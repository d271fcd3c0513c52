// A slot of the block “Subpages”: the app provides the list of the pages below the open one that this person may see. Links to
// a single page know none.
import { type ReactNode, createContext } from 'react';

export const SubpagesContext = createContext<ReactNode>(null);
