// Takes back a request for access.
import { useState } from 'react';
import type { AskedAccess } from '../../state/person/asked-access.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/floating/toast.tsx';

export function Withdraw({ asked }: { readonly asked: AskedAccess }) {
  const [isBusy, setBusy] = useState(false);
  const withdraw = async () => {
    setBusy(true);
    const answer = await asked.withdraw();
    setBusy(false);
    if (!answer.ok) toast(textOf(answer.error));
  };
  return (
    <Button look="plain" disabled={isBusy} onClick={() => void withdraw()}>
      Withdraw request
    </Button>
  );
}
