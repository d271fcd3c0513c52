// The items that export the page with its comments, for those who may read them. Only there if it has comments.
import { type Atom, atom } from 'jotai/vanilla';
import Download from 'lucide-react/icons/download';
import type { ShownThread } from '../../state/comments/shown-threads.ts';
import { usePage, useValue } from '../../state/hooks.ts';
import { MenuItem } from '../../ui/floating/menu.tsx';
import { FORMAT_NAMES, type FileFormat } from './file-formats.ts';

const NO_THREADS: Atom<{ readonly threads: readonly ShownThread[] }> = atom({ threads: [] });

type Props = { readonly onExport: (format: FileFormat, threads: readonly ShownThread[]) => void };

export function CommentExportItems({ onExport }: Props) {
  const comments = useValue(usePage().commentsAtom);
  const { threads } = useValue<{ readonly threads: readonly ShownThread[] }>(comments?.viewAtom ?? NO_THREADS);
  const open = threads.filter(({ resolved }) => resolved === null);
  const item = (words: string, format: FileFormat, written: readonly ShownThread[]) => (
    <MenuItem icon={<Download className="icon" />} onSelect={() => onExport(format, written)}>
      Export as {FORMAT_NAMES[format]} with {words} (.{format})
    </MenuItem>
  );
  return (
    <>
      {open.length > 0 && item('open comments', 'md', open)}
      {threads.length > open.length && item('all comments', 'md', threads)}
      {threads.length > 0 && item('all comments', 'json', threads)}
    </>
  );
}
