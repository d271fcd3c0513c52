// A slot of the block “Subpages”: the app provides the list of the pages below the open one that this person may see.
// It is null for people who open a single page by its link.
import { type ReactNode, createContext } from 'react';

export const SubpagesContext = createContext<ReactNode>(null);
