// The line icon of a page, or the one that all pages without their own have. Icons load when the first one is shown.
import FileText from 'lucide-react/icons/file-text';
import { useSyncExternalStore } from 'react';
import type { PageIconEntry } from './icon-set.ts';

type PageIconProps = { readonly icon: string | null };

export function PageIcon({ icon }: PageIconProps) {
  const icons = useSyncExternalStore(icon === null ? subscribeToNothing : subscribe, read);
  const entry = icon === null ? undefined : icons?.get(icon);
  return entry === undefined ? (
    <FileText className="icon page-icon" aria-hidden />
  ) : (
    <entry.Icon className="icon page-icon" aria-hidden />
  );
}

let loaded: ReadonlyMap<string, PageIconEntry> | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

const read = () => loaded;
const subscribeToNothing = () => () => undefined;

function subscribe(run: () => void): () => void {
  listeners.add(run);
  void load();
  return () => listeners.delete(run);
}

async function load(): Promise<void> {
  if (loaded !== null || isLoading) return;
  isLoading = true;
  // Without network, or from a tab of an older version, pages keep the common icon.
  loaded = await import('./icon-set.ts').then(
    ({ pageIconsByName }) => pageIconsByName,
    () => null,
  );
  isLoading = false;
  for (const run of listeners) run();
}
