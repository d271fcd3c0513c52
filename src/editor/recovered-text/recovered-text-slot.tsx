// Says that own words were lost, and has a place for their cards, whose code loads with the first of them.
import { useSyncExternalStore } from 'react';
import { latePart } from '../../ui/feedback/late-part.tsx';
import { type RecoveredTextProps, lostTitleFor } from './lost-title.ts';
import { lostListOf } from './recovered-text.ts';

const Cards = latePart(async () => (await import('./recovered-text-cards.tsx')).RecoveredTextCards);

export function RecoveredText(props: RecoveredTextProps) {
  const list = lostListOf(props.session);
  const newest = useSyncExternalStore(list.subscribe, list.get).at(-1);
  return (
    <>
      <p className="sr-only" role="status">
        {newest === undefined
          ? ''
          : `${lostTitleFor(newest, props.people, props.session.user)}. The words are kept next to it.`}
      </p>
      {newest !== undefined && <Cards {...props} />}
    </>
  );
}
