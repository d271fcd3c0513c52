// The items of the page menu for files: copy as Markdown, export, import, print.
import Clipboard from 'lucide-react/icons/clipboard';
import Download from 'lucide-react/icons/download';
import FolderArchive from 'lucide-react/icons/folder-archive';
import Printer from 'lucide-react/icons/printer';
import Upload from 'lucide-react/icons/upload';
import type { ListedPage } from 'weft-document/blocks/listed-subpages.ts';
import type { DocumentSummary } from '../../protocol/answers.ts';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { usePage, usePerson, useTitleReader, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { pagesBelow } from '../../state/workspace/tree/page-index.ts';
import { CONTENT_TEXTS, PART_NOT_LOADED, shownTitle } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { saveBlob } from '../../ui/browser/save-file.ts';
import { MenuItem } from '../../ui/floating/menu.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { CommentExportItems } from './comment-export-items.tsx';
import { FILE_FORMATS, FORMAT_NAMES, type FileFormat } from './file-formats.ts';

type ImportExportItemsProps = {
  /** Null for people who may not create pages here. */
  readonly onImport: (() => void) | null;
};

export function ImportExportItems({ onImport }: ImportExportItemsProps) {
  const { documentId, sessionAtom, files } = usePage();
  const { pageReader, people, store } = usePerson();
  const { workspace, indexAtom } = useWorkspace();
  const session = useValue(sessionAtom);
  const hasSubpages = useValue(indexAtom).below.has(documentId);
  const readTitle = useTitleReader();
  const subpages = (): readonly ListedPage[] =>
    (store.get(indexAtom).below.get(documentId) ?? []).map((id) => {
      const title = readTitle(id);
      return { title: shownTitle(title), address: `${location.origin}${pagePath(workspace.slug, { id, title })}` };
    });
  const source = session && { document: documentId, doc: session.doc, files, reader: pageReader };
  type Options = { readonly below?: readonly DocumentSummary[]; readonly comments?: readonly ShownThread[] };
  /** With `below`: the page and these pages below it. */
  const save = async (format: FileFormat, { below = [], comments = [] }: Options = {}) => {
    if (source === null) return;
    // The export's code is a chunk of its own, which a tab of an older version may not find any more.
    const code = await import('./zip/page-file.ts').catch(() => null);
    if (code === null) return toast(PART_NOT_LOADED);
    const made = await code
      .pageFile({ ...source, subpages: subpages(), comments, people: store.get(people.atom) }, format, below)
      .catch(() => null);
    if (made === null) return toast(CONTENT_TEXTS.fileNotWritten);
    if (!made.ok) return toast(textOf(made.error));
    saveBlob(made.value.blob, made.value.name);
    if (made.value.note !== null) toast(`${made.value.name} was saved. ${made.value.note}`);
  };
  const saveSubpages = () => {
    const below = pagesBelow(store.get(indexAtom), documentId);
    toast(`Exporting ${below.length + 1} pages…`);
    void save('md', { below });
  };
  const copy = async () => {
    if (session === null) return;
    const code = await import('./export-page.ts').catch(() => null);
    if (code === null) return toast(PART_NOT_LOADED);
    const made = await code.exportPage(session.doc, 'md', files, { subpages: subpages() }).catch(() => null);
    if (made?.isComplete === false) toast(CONTENT_TEXTS.exportTooComplex);
    const isCopied = made !== null && (await copyText(made.text, null));
    toast(isCopied ? 'Page copied as Markdown.' : 'Couldn’t copy the page.');
  };
  return (
    <>
      <MenuItem icon={<Clipboard className="icon" />} disabled={session === null} onSelect={() => void copy()}>
        Copy as Markdown
      </MenuItem>
      {FILE_FORMATS.map((format) => (
        <MenuItem
          key={format}
          icon={<Download className="icon" />}
          disabled={session === null}
          onSelect={() => void save(format)}
        >
          Export as {FORMAT_NAMES[format]} (.{format})
        </MenuItem>
      ))}
      {hasSubpages && (
        <MenuItem icon={<FolderArchive className="icon" />} disabled={session === null} onSelect={saveSubpages}>
          Export with subpages (.zip)
        </MenuItem>
      )}
      {onImport !== null && (
        <MenuItem icon={<Upload className="icon" />} onSelect={onImport}>
          Import files…
        </MenuItem>
      )}
      {/* Waits until the menu has closed: otherwise the menu is printed too. */}
      <MenuItem icon={<Printer className="icon" />} onSelect={() => setTimeout(() => window.print(), PRINT_AFTER_MS)}>
        Print
      </MenuItem>
      {/* Last, because they may come after the menu has opened, and no item may move under the pointer. */}
      {session !== null && <CommentExportItems onExport={(format, comments) => void save(format, { comments })} />}
    </>
  );
}

const PRINT_AFTER_MS = 250;
