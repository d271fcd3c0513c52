// On a page whose body is empty: the offer to start from a template.
import LayoutTemplate from 'lucide-react/icons/layout-template';
import { useCallback, useSyncExternalStore } from 'react';
import { isBlankBlock } from 'weft-document/body/is-blank-block.ts';
import { bodyOf } from 'weft-document/names.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { usePalette } from '../palette/palette-provider.tsx';

type TemplateOfferProps = { readonly session: Session };

export function TemplateOffer({ session }: TemplateOfferProps) {
  const openPalette = usePalette();
  if (!useIsBlank(session)) return null;
  return (
    <span className="template-offer">
      <Button size="small" onClick={() => openPalette({ of: 'template', page: session.documentId })}>
        <LayoutTemplate className="icon" />
        Use a template
      </Button>
    </span>
  );
}

function useIsBlank(session: Session): boolean {
  const doc = useSyncExternalStore(session.subscribe, () => session.doc);
  const subscribe = useCallback(
    (run: () => void) => {
      doc.on('afterTransaction', run);
      return () => doc.off('afterTransaction', run);
    },
    [doc],
  );
  return useSyncExternalStore(subscribe, () => {
    const body = bodyOf(doc);
    return body.length === 0 || (body.length === 1 && isBlankBlock(body.get(0)));
  });
}
