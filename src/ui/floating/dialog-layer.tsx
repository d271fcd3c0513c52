// The layer of every dialog, panel and drawer. An error in it stays in it.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';
import { FailedPart } from '../feedback/failed-part.tsx';

type RootProps = ComponentProps<typeof Base.Root>;

type DialogLayerProps = Omit<ComponentProps<typeof Base.Popup>, 'children'> & {
  readonly open: boolean;
  readonly onOpenChange: NonNullable<RootProps['onOpenChange']>;
  readonly modal?: boolean;
  /** The class of what covers the rest of the screen. Without it nothing does. */
  readonly scrim?: string;
  readonly children: ReactNode;
};

export function DialogLayer({ open, onOpenChange, modal = true, scrim, children, ...popup }: DialogLayerProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={modal}>
      <Base.Portal>
        {/* Also over the dialog that this one was opened from. */}
        {scrim !== undefined && <Base.Backdrop className={scrim} forceRender />}
        <Base.Popup {...popup}>
          <ErrorBoundary
            renderFailed={(failure) => (
              <FailedPart {...failure} action={<Base.Close render={<Button size="small">Close</Button>} />} />
            )}
          >
            {children}
          </ErrorBoundary>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export const DialogTitle = Base.Title;
export const DialogClose = Base.Close;
