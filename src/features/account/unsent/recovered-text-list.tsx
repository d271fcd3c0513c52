// Recovered text on this device, of all pages: what this person wrote and someone deleted without having seen it, or
// right after. An entry stays until it is restored or dismissed. Each page shows the same entries as cards; this list
// is for finding them later.
import { useMemo, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import {
  type RecoveredTextOfPage,
  recoveredTextOnDevice,
} from '../../../editor/recovered-text/recovered-text-on-device.ts';
import { deviceRecoveredText } from '../../../editor/recovered-text/recovered-text-store.ts';
import { recoveredTextTitle } from '../../../editor/recovered-text/recovered-text-title.ts';
import { type RecoveredTextEntry, RecoveredTexts } from '../../../editor/recovered-text/recovered-texts.ts';
import { dayAndTime } from '../../../lib/text/times.ts';
import { usePageLocations, usePerson, useValue } from '../../../state/hooks.ts';
import { pagePath } from '../../../state/workspace/page-address.ts';
import { shownTitle } from '../../../texts/content-texts.ts';
import { copyText } from '../../../ui/browser/copy-text.ts';
import { useNow } from '../../../ui/browser/use-time.ts';
import { Button } from '../../../ui/controls/button.tsx';

const MINUTE_MS = 60_000;

export function RecoveredTextList() {
  const { identity } = usePerson();
  const recoveredText = useMemo(() => recoveredTextOnDevice(identity.id), [identity.id]);
  const pages = useSyncExternalStore(recoveredText.subscribe, recoveredText.get);
  return (
    <section aria-labelledby="account-recovered-text">
      <h2 id="account-recovered-text">Recovered text</h2>
      {pages.length === 0 ? (
        <p className="secondary">
          None. When someone deletes a block while you write in it, or soon after, your words are kept on its page and
          here.
        </p>
      ) : (
        <RecoveredTextRows pages={pages} />
      )}
    </section>
  );
}

function RecoveredTextRows({ pages }: { readonly pages: readonly RecoveredTextOfPage[] }) {
  const { identity } = usePerson();
  const locations = usePageLocations();
  return (
    <ul className="recovered-texts">
      {pages.flatMap(({ document, entries }) => {
        const location = locations.get(document);
        return entries
          .map((one) => (
            <RecoveredTextRow
              key={one.key}
              entry={one}
              title={location === undefined ? null : shownTitle(location.page.title)}
              address={location === undefined ? null : `${pagePath(location.slug, location.page)}${blockHash(one)}`}
              onDismiss={() => dismiss(identity.id, document, one.key)}
            />
          ))
          .toReversed();
      })}
    </ul>
  );
}

/** The block where the page shows the card. */
const blockHash = ({ after }: RecoveredTextEntry): string =>
  after[0] === undefined ? '' : `#b-${encodeURIComponent(after[0])}`;

const dismiss = (person: string, document: DocumentId, key: string): void =>
  new RecoveredTexts(document, deviceRecoveredText(person)).resolve(key);

type RecoveredTextRowProps = {
  readonly entry: RecoveredTextEntry;
  /** Null when this device no longer knows the page. */
  readonly title: string | null;
  readonly address: string | null;
  readonly onDismiss: () => void;
};

function RecoveredTextRow({ entry, title, address, onDismiss }: RecoveredTextRowProps) {
  const { identity, people: known } = usePerson();
  const people = useValue(known.atom);
  const now = useNow(MINUTE_MS);
  const [isCopied, setCopied] = useState(false);
  return (
    <li>
      <h3>
        {recoveredTextTitle(entry, people, identity.id)}
        {title !== null && <span className="secondary"> · {title}</span>}
        <span className="secondary"> · {dayAndTime(entry.at, now)}</span>
      </h3>
      <blockquote className="quoted-words" dir="auto">
        {entry.words}
      </blockquote>
      <div className="actions">
        {address !== null && (
          <Link className="btn" data-size="small" to={address}>
            Go to its place
          </Link>
        )}
        <Button size="small" onClick={() => void copyText(entry.words, null).then(setCopied)}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button size="small" look="plain" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </li>
  );
}
