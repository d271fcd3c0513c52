// The export of a workspace: starts it, shows how far it is, and cancels it.
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../../lib/text/counted.ts';
import { usePerson, useValue, useWorkspace } from '../../../state/hooks.ts';
import { CONTENT_TEXTS, PART_NOT_LOADED } from '../../../texts/content-texts.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { saveBlob } from '../../../ui/browser/save-file.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { fileNameFor } from './file-paths.ts';
import './export-workspace.css';

type ExportState =
  | { readonly at: 'idle' }
  | { readonly at: 'running'; readonly done: number; readonly of: number }
  | { readonly at: 'saved'; readonly name: string; readonly pages: number; readonly missing: number }
  | { readonly at: 'failed'; readonly why: string };

export function ExportWorkspace() {
  const { pageReader, store } = usePerson();
  const { workspace, listAtom, indexAtom } = useWorkspace();
  const isLoaded = useValue(listAtom).value !== null;
  const [state, setState] = useState<ExportState>({ at: 'idle' });
  const running = useRef<AbortController | null>(null);
  // Leaving the screen ends it.
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const index = store.get(indexAtom);
    const current = store.get(listAtom).value?.workspace ?? workspace;
    const of = index.pages.size;
    const controller = new AbortController();
    running.current = controller;
    setState({ at: 'running', done: 0, of });
    const loaded = await import('./zip-workspace.ts').catch(() => null);
    if (loaded === null) return setState({ at: 'failed', why: PART_NOT_LOADED });
    const answer = await loaded
      .zipWorkspace({
        workspace: current,
        index,
        reader: pageReader,
        now: Date.now(),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        signal: controller.signal,
        onProgress: (done) => setState({ at: 'running', done, of }),
      })
      .catch(() => null);
    if (controller.signal.aborted) return;
    if (answer === null) return setState({ at: 'failed', why: CONTENT_TEXTS.fileNotWritten });
    if (!answer.ok)
      return setState(answer.error === null ? { at: 'idle' } : { at: 'failed', why: textOf(answer.error) });
    const name = `${fileNameFor(current.name)}.zip`;
    saveBlob(answer.value.zip, name);
    setState({ at: 'saved', name, pages: answer.value.pages, missing: answer.value.missing });
  };

  return (
    <section aria-labelledby="settings-export">
      <h2 id="settings-export">Export</h2>
      <p>
        Every page that you can open, in one .zip: as Markdown in folders with pictures and files beside it, and as Weft
        files that keep everything.
      </p>
      {state.at === 'running' ? (
        <div className="export-progress">
          <progress aria-label="Exported pages" value={state.done} max={Math.max(state.of, 1)} />
          <span className="tabular">
            {state.done} of {state.of} pages
          </span>
          <Button
            size="small"
            onClick={() => {
              running.current?.abort();
              setState({ at: 'idle' });
            }}
          >
            Cancel
          </Button>
        </div>
      ) : (
        <div className="actions">
          <Button disabled={!isLoaded} onClick={() => void start()}>
            Export workspace
          </Button>
        </div>
      )}
      <p role="status">{state.at === 'saved' && savedText(state)}</p>
      {state.at === 'failed' && <p role="alert">{state.why}</p>}
    </section>
  );
}

function savedText({ name, pages, missing }: Extract<ExportState, { at: 'saved' }>): string {
  const exported = `${counted(pages, 'page')} exported to your downloads: ${name}.`;
  if (missing === 0) return exported;
  return `${exported} ${counted(missing, 'page or file', 'pages or files')} couldn’t be read; weft/workspace.json names ${missing === 1 ? 'it' : 'them'}.`;
}
