// A watched page that is too long to be drawn: its text, a part at a time.
import { useState, useSyncExternalStore } from 'react';
import { plainBodyOf } from 'weft-document/body/plain-body.ts';
import { PlainList } from '../../editor/reading/plain-list.tsx';
import { shownTitle } from '../../texts/content-texts.ts';
import type { PageOfDocumentProps } from './drawn-page.tsx';
import { WatchBar } from './watch-bar.tsx';

export function LongPage({ watch, doc, tools }: PageOfDocumentProps) {
  const view = useSyncExternalStore(watch.subscribe, watch.getView);
  const plain = plainBodyOf(doc);
  const body = useSyncExternalStore(plain.subscribe, plain.get);
  const [part, setPart] = useState(0);
  return (
    <>
      <WatchBar view={view}>{tools}</WatchBar>
      <main>
        <article className="page-column" role="region" aria-label="Watched page">
          <h1 className="page-title" dir="auto">
            {shownTitle(view.title)}
          </h1>
          <p className="page-meta">
            This page is too long to be drawn, so it is shown as plain text: {body.count.toLocaleString('en')} blocks.
          </p>
          <PlainList
            body={body}
            part={part}
            actions={null}
            onPart={(next) => {
              setPart(next);
              scrollTo({ top: 0 });
            }}
          />
        </article>
      </main>
    </>
  );
}
