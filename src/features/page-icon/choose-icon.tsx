// Lets the person choose the icon of a page of this workspace, and stores it.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { useListedPage, useWorkspace } from '../../state/hooks.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { IconPicker } from './icon-picker.tsx';

type ChooseIconProps = { readonly page: DocumentId; readonly onClose: () => void };

export function ChooseIcon({ page, onClose }: ChooseIconProps) {
  const { setIcon } = useWorkspace();
  const listed = useListedPage(page);
  return (
    <IconPicker
      title={shownTitle(listed?.title ?? '')}
      icon={listed?.icon ?? null}
      onChoose={(icon) => setIcon(page, icon)}
      onClose={onClose}
    />
  );
}
