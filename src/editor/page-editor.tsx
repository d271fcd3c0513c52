// A page in its editor, to write or only to read and comment: title, body, remote carets, tools. Its session must be
// `ready`.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { transferUndo } from 'weft-document/undo.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import { onePer } from '../lib/one-per.ts';
import type { WritableFiles } from '../ports/files.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { afterFrame } from '../ui/browser/frame-budget.ts';
import { LayerBoundary } from '../ui/feedback/error-boundary.tsx';
import { latePart } from '../ui/feedback/late-part.tsx';
import { RemoteAnnouncements } from './announcements/remote-announcements.tsx';
import { throttleRemote } from './binding/throttle-remote.ts';
import { type ViewPosition, restoreViewPosition, saveViewPosition } from './binding/view-position.ts';
import type { ProfilesById } from './carets/caret-layer.ts';
import type { VisitChanges } from './changes/use-change-steps.tsx';
import { type PageEditorParts, createPageEditor } from './create-page-editor.ts';
import { FindBar } from './find/find-bar.tsx';
import { BlockHandle } from './menus/block-handle.tsx';
import type { WordQuestions } from './menus/word-questions.ts';
import { Outline } from './outline/outline.tsx';
import { type PageTools, pageTools } from './page-tools.ts';
import { StaticBody } from './reading/static-body.tsx';
import { RecoveredText } from './recovered-text/recovered-text-slot.tsx';
import { recoveredTextsOf } from './recovered-text/recovered-text.ts';
import { SubpagesPortals } from './subpages/subpages-slots.tsx';
import { TitleField } from './title/title-field.tsx';
import { type MentionNames, NO_NAMES } from './typed-menu/mention-names.ts';
import { type Target, useTarget } from './use-target.ts';

/** The text is painted first. */
const TextTools = latePart(async () => {
  await new Promise<void>(afterFrame);
  return (await import('./text-tools.tsx')).TextTools;
});
/** For people who may comment and not write. */
const CommentBar = latePart(async () => (await import('./menus/comment-bar.tsx')).CommentBar);
/** Loads only if something changed. */
const EditorChanges = latePart(async () => (await import('./changes/editor-changes.tsx')).EditorChanges);

type PageEditorProps = {
  readonly session: Session;
  /** Names and colors for carets. A person who is missing is shown as "Someone". */
  readonly people: ProfilesById;
  readonly editable: boolean;
  /** The page's pictures and files. */
  readonly files?: WritableFiles | null;
  /** A line below the title. */
  readonly meta?: ReactNode;
  /** The people and pages that `@` and `[[` offer. */
  readonly names?: MentionNames;
  /** Navigates to a URL of this app without reloading it. */
  readonly visit?: (address: string) => void;
  /** The hash of the page's address: the block (`#b-…`) or match (`#find=…`) to scroll to, once per object. */
  readonly target?: Target | null;
  /** Others' changes since this person's last visit. */
  readonly changes?: VisitChanges | null;
  /** Asks for the selected text's authors, or whether to erase it. Without it, the menus lack both. */
  readonly questions?: WordQuestions | null;
  /** The menus offer to comment. `PageTools.onComment` tells when someone chooses it. */
  readonly mayComment?: boolean;
  /** Called with the page's tools when they are available, and with null when they end. */
  readonly onTools?: (tools: PageTools | null) => void;
  /** Called when the whole page is on the screen: a long one is drawn in slices. */
  readonly onDrawn?: () => void;
};

const openInNewTab = (address: string): void => void window.open(address, '_blank', 'noopener,noreferrer');

export function PageEditor(props: PageEditorProps) {
  // Another session has another document and undo history: nothing may pass from one to the other.
  return <PageOfSession key={keyOf(props.session)} {...props} />;
}

/** The first id of a session: it gets another while people write if it starts anew (HI3 in src/sync/SPEC.md). */
const keyOf = onePer((session: Session): string => session.sessionId);

function PageOfSession(props: PageEditorProps) {
  const {
    session,
    people,
    editable,
    files = null,
    meta,
    names = NO_NAMES,
    visit = openInNewTab,
    target = null,
    changes = null,
    questions = null,
    mayComment = false,
    onTools,
    onDrawn,
  } = props;
  // An external store, not a prop: React switches to the new document before the next key can be pressed (L6 in
  // src/sync/SPEC.md).
  const doc = useSyncExternalStore(session.subscribe, () => session.doc);
  /** The document that an editor had to detach from. */
  const [detachedDoc, setDetachedDoc] = useState<Y.Doc | null>(null);
  const isBound = detachedDoc !== doc;
  const [newest, setParts] = useState<PageEditorParts | null>(null);
  // Tools that appear together with the next document would work on the former editor, which ends in the same moment.
  const parts = newest?.doc === doc ? newest : null;
  const focusBody = () => {
    if (parts === null) return;
    // Tiptap's focus command waits for a frame, and the next key may come before that.
    parts.editor.commands.setTextSelection(0);
    parts.editor.view.focus();
  };
  useTarget(parts, target);
  useEffect(() => parts?.whenWhole(() => onDrawn?.()), [parts, onDrawn]);
  useEffect(() => throttleRemote(session), [session]);
  useEffect(() => parts?.setNames(names), [parts, names]);
  useTools(parts, session, onTools);
  useLostTexts(session, changes);
  const comment = mayComment && parts !== null ? () => void parts.uiCommands.dispatchEvent(new Event('comment')) : null;
  const undo = (direction: 'undo' | 'redo') => parts?.undo[direction]();
  const detach = () => setDetachedDoc(session.doc);
  return (
    <article className="page-column">
      <TitleField doc={doc} editable={editable && isBound} onLeave={focusBody} onUndo={undo} />
      <RemoteAnnouncements session={session} doc={doc} people={people} />
      {meta !== undefined && <div className="page-meta">{meta}</div>}
      {isBound ? (
        <div className="page-text">
          {/* Before the text: an element after it would take part in a double click at the end of a line. */}
          <LayerBoundary>
            {parts !== null && <RecoveredText {...parts} {...{ session, people, editable }} />}
            {parts !== null && editable && <BlockHandle {...parts} {...{ questions, comment }} />}
          </LayerBoundary>
          <Body {...{ session, doc, people, editable, files }} onParts={setParts} onDetach={detach} />
          {parts !== null && (
            <LayerBoundary>
              <Outline {...parts} awareness={session.awareness} people={people} />
              <SubpagesPortals {...parts} />
              {changes !== null && <EditorChanges {...parts} changes={changes} />}
              <FindBar key={parts.editor.instanceId} {...parts} editable={editable} />
            </LayerBoundary>
          )}
          {parts !== null && editable && (
            <LayerBoundary>
              <TextTools {...{ parts, visit, questions, comment }} pages={names.pages} />
            </LayerBoundary>
          )}
          {parts !== null && !editable && comment !== null && (
            <LayerBoundary>
              <CommentBar editor={parts.editor} comment={comment} />
            </LayerBoundary>
          )}
        </div>
      ) : (
        <ReadOnlyBody doc={doc} page={session.documentId} files={files} />
      )}
    </article>
  );
}

function useTools(parts: PageEditorParts | null, session: Session, onTools: PageEditorProps['onTools']): void {
  useEffect(() => {
    if (parts === null || onTools === undefined) return undefined;
    onTools(pageTools(parts, recoveredTextsOf(session)));
    return () => onTools(null);
  }, [parts, session, onTools]);
}

/** Texts that were lost before this visit are offered together with those that are lost during it. */
function useLostTexts(session: Session, changes: VisitChanges | null): void {
  const lost = changes?.found.lost;
  useEffect(() => {
    for (const one of lost ?? []) recoveredTextsOf(session).add({ ...one, after: [...one.after] });
  }, [lost, session]);
}

type BodyProps = {
  readonly session: Session;
  /** The session's current document. If it changes, a new editor takes the old one's place. */
  readonly doc: Y.Doc;
  readonly people: ProfilesById;
  readonly editable: boolean;
  readonly files: WritableFiles | null;
  readonly onParts: (parts: PageEditorParts | null) => void;
  readonly onDetach: () => void;
};

function Body({ session, doc, people, editable, files, onParts, onDetach }: BodyProps) {
  const element = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const parts = useRef<PageEditorParts>(null);
  /** From the previous editor, on another document of the same page. */
  const previous = useRef<{ readonly position: ViewPosition; readonly undo: PageEditorParts['undo'] }>(null);
  // The initial values of an editor. Later changes are applied to it below and do not create another.
  const start = useRef({ people, editable, files, onParts, onDetach });
  useLayoutEffect(() => {
    start.current = { people, editable, files, onParts, onDetach };
  });

  useLayoutEffect(() => {
    const [host, caretHost] = [element.current, layer.current];
    if (host === null || caretHost === null) return undefined;
    const { onParts: publish } = start.current;
    const created = createPageEditor({
      session,
      doc,
      element: host,
      layer: caretHost,
      editable: start.current.editable,
      onDetach: start.current.onDetach,
      files: start.current.files,
    });
    created.carets.setPeople(start.current.people);
    if (previous.current !== null) {
      const { undo, position } = previous.current;
      transferUndo(undo, created.undo);
      created.whenWhole(() => {
        host.style.minHeight = '';
        restoreViewPosition(created.editor, position);
      });
    }
    parts.current = created;
    publish(created);
    return () => {
      previous.current = { position: saveViewPosition(created.editor), undo: created.undo };
      // Without its text the page would be too short for its scroll position.
      host.style.minHeight = `${host.offsetHeight}px`;
      parts.current = null;
      publish(null);
      created.destroy();
    };
  }, [session, doc]);
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

/** Shown if the editor cannot show this page's content: it can be read and stays up to date, but cannot be edited. */
type ReadOnlyBodyProps = { readonly doc: Y.Doc; readonly page: string; readonly files: WritableFiles | null };

function ReadOnlyBody({ doc, page, files }: ReadOnlyBodyProps) {
  const view = bodyViewOf(doc);
  const blocks = useSyncExternalStore(view.subscribe, view.get);
  return (
    <section className="page-text" aria-label="Page body">
      <p className="block-unknown" role="status">
        {CONTENT_TEXTS.notEditable}
      </p>
      <StaticBody blocks={blocks} page={page} files={files} />
    </section>
  );
}
