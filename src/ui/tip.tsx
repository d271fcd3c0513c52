// The name of a control that shows only an icon, on pointing at it.
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

export function Tip({ text, children }: { readonly text: string; readonly children: ReactElement }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner className="layer" sideOffset={6} collisionPadding={8}>
          <Tooltip.Popup className="tip">{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
