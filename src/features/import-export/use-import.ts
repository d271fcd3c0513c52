// Imports files that the person chooses, or drops on the window outside of a page's text.
import { useCallback, useEffect } from 'react';
import type { DocumentSummary } from '../../protocol/answers.ts';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import { PART_NOT_LOADED } from '../../texts/content-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { PAGE_EXTENSIONS, PICTURE_EXTENSIONS } from './file-formats.ts';

const hasExtension = (extensions: readonly string[]) => (file: File) =>
  extensions.some((extension) => file.name.toLowerCase().endsWith(extension));

/** `onImported` receives the first imported page. Returns a function that opens the file picker. */
export function useImport(onImported: (page: DocumentSummary) => void): () => void {
  const person = usePerson();
  const { workspace, createPage } = useWorkspace();
  const importAll = useCallback(
    async (files: readonly File[]) => {
      const supported = files.filter(hasExtension([...PAGE_EXTENSIONS, ...PICTURE_EXTENSIONS]));
      if (!supported.some(hasExtension(PAGE_EXTENSIONS)))
        return toast('Weft imports Markdown, web pages, text and its own .json files.');
      if (supported.length > 1) toast(`Importing ${supported.length} files`);
      const loaded = await import('./import-files.ts').catch(() => null);
      if (loaded === null) return toast(PART_NOT_LOADED);
      const { imported, failed, hadComments } = await loaded.importFiles(supported, person, createPage, (pages) =>
        person.directory.announceImport(workspace.id, pages),
      );
      const [firstFailure] = failed;
      if (firstFailure !== undefined)
        toast(`${firstFailure.name} was not imported: ${reasonText(firstFailure)}${othersText(failed.length - 1)}`);
      else if (hadComments) toast(WITHOUT_COMMENTS);
      else if (imported.length > 1) toast(`${imported.length} pages imported.`);
      if (imported[0] !== undefined) onImported(imported[0]);
    },
    [person, workspace, createPage, onImported],
  );
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const files = Array.from(event.dataTransfer?.files ?? []);
      // The editor has already taken files that were dropped on the text.
      if (event.defaultPrevented || files.length === 0) return;
      event.preventDefault();
      void importAll(files);
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  }, [importAll]);
  return useCallback(() => {
    const field = document.createElement('input');
    field.type = 'file';
    field.multiple = true;
    field.accept = [...PAGE_EXTENSIONS, ...PICTURE_EXTENSIONS].join();
    field.addEventListener('change', () => void importAll(Array.from(field.files ?? [])));
    field.click();
  }, [importAll]);
}

const WITHOUT_COMMENTS = 'Imported without the comments in the file: Weft can’t know who wrote them.';

/** Reasons from the error catalogue already end with a full stop. */
const reasonText = ({ why }: { readonly why: string }): string => (why.endsWith('.') ? why : `${why}.`);

const othersText = (count: number): string => (count === 0 ? '' : ` ${count} more failed too.`);
