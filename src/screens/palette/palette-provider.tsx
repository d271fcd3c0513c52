// Opens the palette that finds by Ctrl K, and each palette through `usePalette`; the search screen by Ctrl Shift F. The code of
// the palette that finds loads a moment after the workspace.
import { type ReactNode, createContext, useContext, useEffect, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { isSearchShortcut } from '../../features/search/search-shortcut.ts';
import type { Shell } from '../../shell/shell-context.ts';
import { useWorkspace } from '../../state/hooks.ts';
import { searchPath } from '../../state/workspace/page-address.ts';
import { latePart } from '../../ui/feedback/late-part.tsx';

/** By then the screen has usually loaded its own code. */
const PRELOADS_AFTER_MS = 2_000;

const FindPalette = latePart(async () => (await import('./find-palette.tsx')).FindPalette);
const ChooseIcon = latePart(async () => (await import('../../features/page-icon/choose-icon.tsx')).ChooseIcon);
const TemplatePalette = latePart(async () => (await import('./template-palette.tsx')).TemplatePalette);
const MovePalette = latePart(async () => (await import('./move-palette.tsx')).MovePalette);

type OpenPalette =
  | { readonly of: 'find' }
  | { readonly of: 'template'; readonly page: DocumentId | null }
  | { readonly of: 'move' | 'icon'; readonly page: DocumentId };

const PaletteContext = createContext<(open: OpenPalette) => void>(() => undefined);

/** Returns a function that opens one of the palettes. */
export const usePalette = (): ((open: OpenPalette) => void) => useContext(PaletteContext);

type PaletteProviderProps = {
  readonly shell: Shell;
  readonly children: ReactNode;
};

export function PaletteProvider({ shell, children }: PaletteProviderProps) {
  const [palette, setPalette] = useState<OpenPalette | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // While words of the page are selected, Ctrl K makes them a link.
      if (event.defaultPrevented || event.isComposing || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setPalette((before) => (before === null ? { of: 'find' } : null));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  const search = searchPath(workspace.slug);
  const isSearching = useMatch(search) !== null;
  useEffect(() => {
    if (isSearching) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (!isSearchShortcut(event)) return;
      event.preventDefault();
      setPalette(null);
      void navigate(search);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isSearching, navigate, search]);
  // Characters typed right after Ctrl K must not land in the page because the palette is still loading.
  useEffect(() => {
    const timer = setTimeout(FindPalette.preload, PRELOADS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const close = () => setPalette(null);
  return (
    <PaletteContext value={setPalette}>
      {children}
      {palette?.of === 'find' && (
        <FindPalette shell={shell} onTemplates={() => setPalette({ of: 'template', page: null })} onClose={close} />
      )}
      {palette?.of === 'icon' && <ChooseIcon page={palette.page} onClose={close} />}
      {palette?.of === 'template' && <TemplatePalette shell={shell} page={palette.page} onClose={close} />}
      {palette?.of === 'move' && <MovePalette page={palette.page} onClose={close} />}
    </PaletteContext>
  );
}
