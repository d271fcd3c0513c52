// What the bar of a page asks of its editor; null while there is none.
import { createContext } from 'react';
import type { PageTools } from '../../../editor/page-tools.ts';

export const PageToolsContext = createContext<PageTools | null>(null);
