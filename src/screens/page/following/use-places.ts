// Where people are in the open page's text, for those who follow or present; null while no editor is mounted, or the code is
// loading.
import { useContext, useEffect, useState } from 'react';
import type { EditorPlaces } from '../../../editor/following/editor-places.ts';
import type { PageTools } from '../../../editor/page-tools.ts';
import { PageToolsContext } from '../page-tools-context.ts';

export function usePlaces(): EditorPlaces | null {
  const tools = useContext(PageToolsContext);
  const [loaded, setLoaded] = useState<{ readonly of: PageTools; readonly places: EditorPlaces } | null>(null);
  useEffect(() => {
    if (tools === null) return undefined;
    let isCurrent = true;
    const load = async () => {
      const places = await tools.places();
      if (isCurrent) setLoaded({ of: tools, places });
    };
    // Offline the code may be missing; then no one can be followed.
    load().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [tools]);
  return loaded?.of === tools ? loaded.places : null;
}
