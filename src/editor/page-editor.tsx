// One page for writing: title, body, others' carets, tools. Give it a session whose view says `ready`.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { bodyViewOf } from '../document/body-view.ts';
import { findUnknown } from '../document/find-unknown.ts';
import { bodyOf } from '../document/names.ts';
import { ERROR_TEXTS } from '../protocol/errors.ts';
import type { Session } from '../sync/session-api.ts';
import type { People } from './caret-layer.ts';
import { type PageEditorParts, createPageEditor } from './create-page-editor.ts';
import { FormatBar } from './format-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StaticBody } from './static-body.tsx';
import { TitleField } from './title-field.tsx';

type PageEditorProps = {
  readonly session: Session;
  /** Names and colours to draw carets with; who is missing is drawn as "Someone". */
  readonly people: People;
  readonly editable: boolean;
  /** A line under the title. */
  readonly meta?: ReactNode;
};

export function PageEditor(props: PageEditorProps) {
  const { session } = props;
  // A store of its own, not a prop: React turns to the new document before the next key can be struck (L6).
  const rebuilds = useSyncExternalStore(session.subscribe, () => session.getView().rebuilds);
  // Another session is another document and another undo history: nothing may be carried over.
  return <PageOfSession key={`${session.sessionId} ${rebuilds}`} {...props} />;
}

function PageOfSession({ session, people, editable, meta }: PageEditorProps) {
  const { doc } = session;
  const [unknown, setUnknown] = useState(() => findUnknown(bodyOf(doc).toArray()));
  const [parts, setParts] = useState<PageEditorParts | null>(null);
  const focusBody = () => {
    if (parts === null) return;
    // Not Tiptap's command, which waits for a frame: the next key may be pressed by then.
    parts.editor.commands.setTextSelection(0);
    parts.editor.view.focus();
  };
  const undo = (direction: 'undo' | 'redo') => parts?.undo[direction]();
  return (
    <article className="page-column">
      <TitleField doc={doc} editable={editable && unknown === null} onLeave={focusBody} onUndo={undo} />
      {meta !== undefined && <div className="page-meta">{meta}</div>}
      {unknown === null ? (
        <div className="page-text">
          <Body session={session} people={people} editable={editable} onParts={setParts} onLetGo={setUnknown} />
          {parts !== null && editable && (
            <>
              <SelectionBar editor={parts.editor} wishes={parts.wishes} />
              <FormatBar editor={parts.editor} undo={parts.undo} wishes={parts.wishes} />
            </>
          )}
        </div>
      ) : (
        <ReadOnlyBody session={session} />
      )}
    </article>
  );
}

type BodyProps = {
  readonly session: Session;
  readonly people: People;
  readonly editable: boolean;
  readonly onParts: (parts: PageEditorParts | null) => void;
  readonly onLetGo: (reason: string) => void;
};

function Body({ session, people, editable, onParts, onLetGo }: BodyProps) {
  const element = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const parts = useRef<PageEditorParts>(null);
  // What the editor was made with: later changes go to the living one below, they do not make another.
  const start = useRef({ editable, onParts, onLetGo });

  useLayoutEffect(() => {
    const { onParts: tell, onLetGo: letGo } = start.current;
    if (element.current === null || layer.current === null) return undefined;
    const made = createPageEditor({
      session,
      element: element.current,
      layer: layer.current,
      editable: start.current.editable,
      letGo,
    });
    parts.current = made;
    tell(made);
    return () => {
      parts.current = null;
      tell(null);
      made.destroy();
    };
  }, [session]);
  useEffect(() => {
    if (parts.current?.editor.isEditable !== editable) parts.current?.editor.setEditable(editable);
  }, [editable]);
  useEffect(() => parts.current?.carets.setPeople(people), [people]);

  return (
    <>
      <div ref={element} />
      <div ref={layer} className="caret-layer" aria-hidden />
    </>
  );
}

/** Something in this page is newer than this app: shown, followed, not touched (T4). */
function ReadOnlyBody({ session }: { readonly session: Session }) {
  const view = bodyViewOf(session.doc);
  const blocks = useSyncExternalStore(view.subscribe, view.get);
  return (
    <section className="page-text" aria-label="Page body">
      <p className="block-unknown" role="status">
        {ERROR_TEXTS.WF004}
      </p>
      <StaticBody blocks={blocks} />
    </section>
  );
}
