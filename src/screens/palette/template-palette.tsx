// The palette of templates: the pages of the workspace that are templates, and those that every workspace has.
import LayoutTemplate from 'lucide-react/icons/layout-template';
import { useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type ContentSource, fillPageWith, withContent } from '../../features/import-export/page-content.ts';
import { nameSearch } from '../../features/palette/palette-search.ts';
import { Palette, type PaletteEntry, type PaletteGroup } from '../../features/palette/palette.tsx';
import { BUILT_IN_TEMPLATES } from '../../features/templates/built-in.ts';
import type { Shell } from '../../shell/shell-context.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';

type TemplatePaletteProps = {
  readonly shell: Shell;
  /** The empty page that the template fills. Null: a new one. */
  readonly page: DocumentId | null;
  readonly onClose: () => void;
};

export function TemplatePalette({ shell, page, onClose }: TemplatePaletteProps) {
  const { workspace, indexAtom, setIcon } = useWorkspace();
  const person = usePerson();
  const index = useValue(indexAtom);

  const fill = async (id: DocumentId, source: ContentSource, icon: string | null) => {
    const filled = await withContent(source, person, (content) => fillPageWith(id, content, person));
    if (!filled.ok) return toast(filled.why);
    if (icon !== null && person.store.get(indexAtom).pages.get(id)?.icon == null) setIcon(id, icon);
    return undefined;
  };
  const start = (source: ContentSource, icon: string | null) => {
    if (page !== null) void fill(page, source, icon);
    else shell.newPage(null, { onCreated: (id) => void fill(id, source, icon) });
  };
  const { own, ownSearch } = useMemo(() => {
    const pages = Array.from(index.pages.values()).filter(({ kind, id }) => kind === 'template' && id !== page);
    return { own: pages, ownSearch: nameSearch(pages, ({ title }) => shownTitle(title)) };
  }, [index, page]);

  const groupsOf = (query: string): readonly PaletteGroup[] => {
    const isSearching = query.trim() !== '';
    const pages = isSearching
      ? ownSearch.find(query, own.length)
      : own.toSorted((a, b) => a.title.localeCompare(b.title)).map((entry) => ({ entry, characters: [] }));
    const builtIn = isSearching
      ? builtInSearch.find(query, BUILT_IN_TEMPLATES.length)
      : BUILT_IN_TEMPLATES.map((entry) => ({ entry, characters: [] }));
    return [
      {
        title: `From ${workspace.name}`,
        entries: pages.map(({ entry, characters }): PaletteEntry => ({
          id: entry.id,
          name: shownTitle(entry.title),
          characters,
          icon: <PageIcon icon={entry.icon} />,
          onChoose: () => start({ of: 'page', id: entry.id }, entry.icon),
        })),
      },
      {
        title: 'Built in',
        entries: builtIn.map(({ entry, characters }): PaletteEntry => ({
          id: entry.id,
          name: entry.name,
          characters,
          note: entry.about,
          icon: <PageIcon icon={entry.icon} />,
          onChoose: () => start({ of: 'markdown', text: entry.markdown }, entry.icon),
        })),
      },
    ];
  };
  return (
    <Palette
      label="Choose a template"
      icon={<LayoutTemplate className="icon" />}
      groupsOf={groupsOf}
      enterText="to use it"
      hasBeside={false}
      onClose={onClose}
    />
  );
}

const builtInSearch = nameSearch(BUILT_IN_TEMPLATES, ({ name }) => name);
