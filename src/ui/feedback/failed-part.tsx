// What stands in place of a part of the screen that failed.
import { type ReactNode, createContext, use, useState } from 'react';
import { PART_FAILED, appErrorCode } from '../../protocol/errors.ts';
import { copyText } from '../browser/copy-text.ts';
import { Button } from '../controls/button.tsx';

export type Failure = {
  readonly error: unknown;
  /** Shows the part again. */
  readonly retry: () => void;
};

/** Describes an error for somebody who helps, without any content. The app provides it. */
export const ErrorDetailsContext = createContext<(error: unknown) => Promise<string>>(async (error) =>
  appErrorCode(error),
);

type FailedPartProps = Failure & {
  /** One more button. */
  readonly action?: ReactNode;
};

export function FailedPart({ error, retry, action }: FailedPartProps) {
  return (
    <div className="failed-part" role="alert">
      <p>
        {PART_FAILED} Code {appErrorCode(error)}.
      </p>
      <div className="actions">
        <Button size="small" onClick={retry}>
          Try again
        </Button>
        <CopyDetails error={error} size="small" />
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
      <FailedPart
        error={error}
        retry={retry}
        action={
          <Button size="small" onClick={dismiss}>
            Dismiss
          </Button>
        }
      />
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
