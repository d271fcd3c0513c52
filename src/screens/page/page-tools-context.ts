// Gives the parts of a page's screen around the editor (the bar, comments, following) access to it; null while none is mounted.
import { createContext } from 'react';
import type { PageTools } from '../../editor/page-tools.ts';

export const PageToolsContext = createContext<PageTools | null>(null);
