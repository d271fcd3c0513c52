// On the status page: how live updates fared on the pages of this tab. Read once: no page is on screen beside it.
import { useState } from 'react';
import { usePerson } from '../../state/hooks.ts';
import { liveFactsOfTab } from '../../state/page/live-facts.ts';

export function LiveUpdates() {
  const person = usePerson();
  const [{ totals, reasons }] = useState(() => liveFactsOfTab(person.readLiveCounts()));
  if (totals.length + reasons.length === 0)
    return <p className="secondary">Nothing has been edited together in this tab yet.</p>;
  return (
    <>
      <p className="secondary">On all pages since this tab was opened.</p>
      {totals.length > 0 && <FactList facts={totals} />}
      {reasons.length > 0 && (
        <>
          <h3>Why others saw your edits only once they were saved</h3>
          <FactList facts={reasons} />
        </>
      )}
    </>
  );
}

const FactList = ({ facts }: { readonly facts: ReturnType<typeof liveFactsOfTab>['totals'] }) => (
  <dl className="status-facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
