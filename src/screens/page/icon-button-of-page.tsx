// In the line under a page's title: the button that opens the picker of its icon.
import Shapes from 'lucide-react/icons/shapes';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useListedPage } from '../../state/hooks.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';
import { usePalette } from '../palette/palette-provider.tsx';

export function IconButtonOfPage({ id }: { readonly id: DocumentId }) {
  const openPalette = usePalette();
  const page = useListedPage(id);
  if (page === null) return null;
  return (
    <span className="title-icon" data-empty={page.icon === null || undefined}>
      <IconButton
        label={page.icon === null ? 'Add icon' : 'Change icon'}
        onClick={() => openPalette({ of: 'icon', page: id })}
      >
        {page.icon === null ? <Shapes className="icon" /> : <PageIcon icon={page.icon} />}
      </IconButton>
    </span>
  );
}
