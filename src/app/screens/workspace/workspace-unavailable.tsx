// A workspace that this person may not see any more, or that never was. What they wrote in it and nobody has is
// offered as a file.
import { useEffect, useState } from 'react';
import { atStakeWords } from '../../../features/account/unsent/unsent-summary.ts';
import { SaveCopyButton, SavedCopy } from '../../../features/account/unsent/save-copy.tsx';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { GoneScreen } from '../errors/unavailable-screen.tsx';

export function WorkspaceGone() {
  const { atStakeAtom, unsent } = usePerson();
  const atStake = useValue(atStakeAtom);
  const [saved, setSaved] = useState<string | null>(null);
  useEffect(() => void unsent.look(), [unsent]);
  return (
    <GoneScreen
      actions={
        <>
          <Button onClick={() => location.assign('/')}>Go to your workspace</Button>
          {atStake.length > 0 && <SaveCopyButton onSaved={setSaved} />}
        </>
      }
    >
      {atStake.length > 0 && <p>{atStakeWords(atStake)}</p>}
      {saved !== null && <SavedCopy name={saved} />}
    </GoneScreen>
  );
}
