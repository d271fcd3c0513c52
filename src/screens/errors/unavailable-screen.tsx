// Screens for what can't be opened. Whether a page or workspace does not exist or the person may not open it, the
// server answers the same, so the screens look the same too, and show nothing that belongs to a page.
import { type ReactNode, use } from 'react';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { PersonContext } from '../../state/hooks.ts';
import { textOf } from '../../texts/error-texts.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Standalone } from '../../ui/feedback/standalone.tsx';

type UnavailableProps = {
  readonly error?: WeftError;
  /** In place of the error's text. */
  readonly title?: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

const NO_ACCESS = weftError('WF001');

/** Inside the layout of a workspace. */
export function Unavailable({ error = NO_ACCESS, title = textOf(error), children, actions }: UnavailableProps) {
  return (
    <UnavailableFrame>
      <EmptyState level={1} title={title} actions={actions}>
        {error.code === 'WF001' && <NoAccess />}
        {children}
      </EmptyState>
    </UnavailableFrame>
  );
}

/** `children` below a bar with the receipt of this device. */
export function UnavailableFrame({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <TabTitle title="" />
      <TopBar receipt={<DeviceReceipt />} actions={null} />
      <div className="placeholder">{children}</div>
    </>
  );
}

/** As `Unavailable`, outside of a workspace: it fills the window. */
export function UnavailableScreen({ error = NO_ACCESS, title = textOf(error), children, actions }: UnavailableProps) {
  return (
    <>
      <TabTitle title="" />
      <Standalone title={title} actions={actions}>
        {error.code === 'WF001' && <NoAccess />}
        {error.code === 'WF009' && <p>If someone sent you the address, ask them for a new one.</p>}
        {children}
      </Standalone>
    </>
  );
}

function NoAccess() {
  const person = use(PersonContext);
  const me = person === null ? null : (person.identity.email ?? 'a guest');
  return (
    <p>
      It doesn’t exist, or you don’t have access.{me !== null && ` You’re signed in as ${me}.`} If someone sent you the
      address, ask them to share the page.
    </p>
  );
}
