// Gives the top bar of a page access to its editor; null while no editor is mounted.
import { createContext } from 'react';
import type { PageTools } from '../../editor/page-tools.ts';

export const PageToolsContext = createContext<PageTools | null>(null);
