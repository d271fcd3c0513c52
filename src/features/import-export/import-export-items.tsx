// The items of the page menu for files: copy as Markdown, export, import, print.
import Clipboard from 'lucide-react/icons/clipboard';
import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import Upload from 'lucide-react/icons/upload';
import { PART_NOT_LOADED, CONTENT_TEXTS } from '../../protocol/errors.ts';
import { usePage, useValue } from '../../state/hooks.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { MenuItem, MenuSeparator } from '../../ui/floating/menu.tsx';
import { saveFile } from '../../ui/browser/save-file.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { FILE_FORMATS, FORMAT_NAMES, type FileFormat, fileNameOf } from './file-formats.ts';

type ImportExportItemsProps = {
  readonly title: string;
  /** Null for people who may not create pages here. */
  readonly onImport: (() => void) | null;
};

export function ImportExportItems({ title, onImport }: ImportExportItemsProps) {
  const { sessionAtom, files } = usePage();
  const session = useValue(sessionAtom);
  const exportAs = async (format: FileFormat): Promise<string | null> => {
    if (session === null) return null;
    try {
      const { exportPage } = await import('./export-page.ts');
      const { text, isComplete } = await exportPage(session.doc, format, files);
      if (!isComplete) toast(CONTENT_TEXTS.exportTooComplex);
      return text;
    } catch {
      // The export's code is a chunk of its own, which a tab of an older version may not find any more.
      toast(PART_NOT_LOADED);
      return null;
    }
  };
  const save = async (format: FileFormat) => {
    const text = await exportAs(format);
    if (text !== null) saveFile(new TextEncoder().encode(text), fileNameOf(title, format));
  };
  const copy = async () => {
    const text = await exportAs('md');
    if (text === null) return;
    toast((await copyText(text, null)) ? 'Page copied as Markdown.' : 'Couldn’t copy the page.');
  };
  return (
    <>
      <MenuSeparator />
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
      {onImport !== null && (
        <MenuItem icon={<Upload className="icon" />} onSelect={onImport}>
          Import files…
        </MenuItem>
      )}
      {/* Waits until the menu has closed: otherwise the menu is printed too. */}
      <MenuItem icon={<Printer className="icon" />} onSelect={() => setTimeout(() => window.print(), PRINT_AFTER_MS)}>
        Print
      </MenuItem>
    </>
  );
}

const PRINT_AFTER_MS = 250;
