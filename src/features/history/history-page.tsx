// The history of a page for people who are signed in.
import { useCallback } from 'react';
import { usePerson, useValue } from '../../state/hooks.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import { HistoryStates } from './history-states.tsx';
import type { HistoryTools } from './history-tools.ts';
import { MemberHistory } from './member-history.tsx';
import { usePageHistory } from './use-page-history.ts';

type HistoryPageProps = { readonly page: OpenPage; readonly tools: HistoryTools };

export function HistoryPage({ page, tools }: HistoryPageProps) {
  const { histories } = usePerson();
  const { documentId } = page;
  const open = useCallback(() => histories.open(documentId), [histories, documentId]);
  const opened = usePageHistory(open, useValue(page.sessionAtom));
  return (
    <HistoryStates
      opened={opened}
      address={tools.address}
      renderReady={(history, view) => <MemberHistory page={page} tools={tools} history={history} view={view} />}
    />
  );
}
