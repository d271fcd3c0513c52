// Opens something with a view and closes it with the view, such as a page's history.
import { useEffect, useState } from 'react';

type Closable = { readonly close: () => void };
type Opened<T> = { readonly opened: T | null; readonly didFail: boolean };

/**
 * Nothing is opened while `open` is null. Another `open` function closes the thing and opens anew. Until then `opened` is still the
 * closed one, and a failure of the first stays: views that can change what they open have a `key`. Opening can fail if its code
 * is a chunk of its own, which a tab of an older version may not find any more.
 */
export function useOpened<T extends Closable>(open: (() => Promise<T>) | null): Opened<T> {
  const [opened, setOpened] = useState<T | null>(null);
  const [didFail, setFailed] = useState(false);
  useEffect(() => {
    if (open === null) return undefined;
    let isCurrent = true;
    let mine: T | null = null;
    void open().then(
      (one) => {
        if (!isCurrent) return one.close();
        mine = one;
        return setOpened(one);
      },
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
      mine?.close();
    };
  }, [open]);
  return { opened, didFail };
}
