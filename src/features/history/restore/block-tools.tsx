// The actions for the block or the change that the reader chose.
import History from 'lucide-react/icons/history';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/floating/toast.tsx';

/** Resolves with an error text, or null. */
export type Restore = () => Promise<string | null>;
export type Restores = { readonly words: Restore | null; readonly block: Restore | null };

export function BlockTools({ words, block }: Restores) {
  const [isBusy, setBusy] = useState(false);
  const run = async (restore: Restore) => {
    setBusy(true);
    const problem = await restore();
    setBusy(false);
    if (problem !== null) toast(problem);
  };
  const buttons = [
    { name: 'Restore these words', restore: words },
    { name: 'Restore this block', restore: block },
  ];
  return buttons.map(
    ({ name, restore }) =>
      restore !== null && (
        <Button key={name} size="small" disabled={isBusy} onClick={() => void run(restore)}>
          <History className="icon" aria-hidden size={14} />
          {name}
        </Button>
      ),
  );
}
