// The banner of a workspace's home while the server does not answer.
import WifiOff from 'lucide-react/icons/wifi-off';
import { useIsOffline, useWorkspace } from '../../state/hooks.ts';
import { ERROR_TEXTS } from '../../texts/error-texts.ts';
import { useSettled } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';

/** As on a page: the receipt shows an outage first. */
const SHOWN_AFTER_MS = 3_000;

export function OfflineBanner() {
  const { refresh } = useWorkspace();
  const isOffline = useIsOffline();
  const wasOffline = useSettled(isOffline, SHOWN_AFTER_MS);
  if (!isOffline || !wasOffline) return null;
  return (
    <Banner
      kind="warning"
      icon={<WifiOff className="icon" />}
      action={
        <Button size="small" onClick={() => void refresh()}>
          Try now
        </Button>
      }
    >
      {ERROR_TEXTS.WF011}
    </Banner>
  );
}
