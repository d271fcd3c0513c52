// Takes the place of a part of the screen that failed.
import { type ReactNode, createContext, use, useState } from 'react';
import { appErrorCode } from '../../protocol/errors.ts';
import { PART_FAILED } from '../../texts/content-texts.ts';
import { copyText } from '../browser/copy-text.ts';
import { Button } from '../controls/button.tsx';
import { useFailureFocus } from './use-failure-focus.ts';

export type Failure = {
  readonly error: unknown;
  /** Shows the part again. */
  readonly retry: () => void;
};

/** Describes an error for someone who helps, without any content. The app provides it. */
export const ErrorDetailsContext = createContext<(error: unknown) => Promise<string>>(async (error) =>
  appErrorCode(error),
);

type FailedPartProps = Failure & {
  readonly dismiss?: () => void;
  /** One more button. */
  readonly action?: ReactNode;
};

export function FailedPart({ error, retry, dismiss, action }: FailedPartProps) {
  const { place, leave } = useFailureFocus();
  const leaveBy = (act: () => void) => () => {
    leave();
    act();
  };
  return (
    <div className="failed-part" {...place}>
      <div role="alert">
        {PART_FAILED} Code {appErrorCode(error)}.
      </div>
      <div className="actions">
        <Button size="small" onClick={leaveBy(retry)}>
          Try again
        </Button>
        <CopyDetails error={error} size="small" />
        {dismiss !== undefined && (
          <Button size="small" onClick={leaveBy(dismiss)}>
            Dismiss
          </Button>
        )}
        {action}
      </div>
    </div>
  );
}

export function FailedLayer({ error, retry, onDismiss }: Failure & { readonly onDismiss?: (() => void) | undefined }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  const dismiss = () => {
    setDismissed(true);
    onDismiss?.();
  };
  return (
    <div className="failed-layer">
      <FailedPart error={error} retry={retry} dismiss={dismiss} />
    </div>
  );
}

export function CopyDetails({
  error,
  size = 'normal',
}: Pick<Failure, 'error'> & { readonly size?: 'small' | 'normal' }) {
  const describe = use(ErrorDetailsContext);
  // Now: the calls that led to the error are soon forgotten.
  const [details] = useState(() => describe(error));
  const [isCopied, setCopied] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const copy = async () => {
    const text = await details;
    const isDone = await copyText(text, null);
    setCopied(isDone);
    setShown(isDone ? null : text);
  };
  return (
    <>
      <Button size={size} onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy details'}
      </Button>
      {shown !== null && <pre className="error-details">{shown}</pre>}
    </>
  );
}
