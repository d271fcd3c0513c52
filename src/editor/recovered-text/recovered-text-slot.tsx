// Says to screen readers that words were deleted, and shows the cards for them, whose code loads with the first one.
import { useSyncExternalStore } from 'react';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { type RecoveredTextProps, recoveredTextTitle } from './recovered-text-title.ts';
import { recoveredTextsOf } from './recovered-text.ts';

const Cards = latePart(async () => (await import('./recovered-text-cards.tsx')).RecoveredTextCards);

export function RecoveredText(props: RecoveredTextProps) {
  const list = recoveredTextsOf(props.session);
  const newest = useSyncExternalStore(list.subscribe, list.get).at(-1);
  return (
    <>
      <p className="sr-only" role="status">
        {newest === undefined
          ? ''
          : `${recoveredTextTitle(newest, props.people, props.session.user)}. The words are kept next to it.`}
      </p>
      {newest !== undefined && <Cards {...props} />}
    </>
  );
}
