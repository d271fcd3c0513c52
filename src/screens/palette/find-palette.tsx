// The palette that finds pages by title, people who have a page open, and actions, from what this device knows. It leads to the
// search of all text.
import History from 'lucide-react/icons/history';
import Keyboard from 'lucide-react/icons/keyboard';
import LayoutTemplate from 'lucide-react/icons/layout-template';
import Moon from 'lucide-react/icons/moon';
import Plus from 'lucide-react/icons/plus';
import Presentation from 'lucide-react/icons/presentation';
import Search from 'lucide-react/icons/search';
import Settings from 'lucide-react/icons/settings';
import Share from 'lucide-react/icons/share-2';
import Sun from 'lucide-react/icons/sun';
import TextSearch from 'lucide-react/icons/text-search';
import Trash from 'lucide-react/icons/trash-2';
import Upload from 'lucide-react/icons/upload';
import Users from 'lucide-react/icons/users';
import { useMemo } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { useDarkTheme } from '../../features/account/profile/use-dark-theme.ts';
import { useHelp } from '../../features/help/help-provider.tsx';
import { pageEntry, recentPages, usePageSearch } from '../../features/palette/page-entries.tsx';
import { nameSearch } from '../../features/palette/palette-search.ts';
import { Palette, type PaletteEntry, type PaletteGroup } from '../../features/palette/palette.tsx';
import type { Shell } from '../../shell/shell-context.ts';
import { useMayCreatePages, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pageOf } from '../../state/people/locations.ts';
import {
  historyAddress,
  membersPath,
  pagePath,
  searchAddress,
  settingsPath,
  trashPath,
} from '../../state/workspace/page-address.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { KeyCaps } from '../../ui/controls/key-caps.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';

const MAX_RECENT = 6;
const MAX_PAGES = 12;
const MAX_PEOPLE = 4;
const MAX_ACTIONS = 6;

type FindPaletteProps = { readonly shell: Shell; readonly onTemplates: () => void; readonly onClose: () => void };

export function FindPalette({ shell, onTemplates, onClose }: FindPaletteProps) {
  const { workspace } = useWorkspace();
  const { index, search } = usePageSearch();
  const people = usePeopleEntries();
  const onPage = usePageActions(shell);
  const anywhere = useActions(shell, onTemplates);
  const navigate = useNavigate();
  const actionSearch = useMemo(() => nameSearch([...onPage, ...anywhere], ({ name }) => name), [onPage, anywhere]);

  const groupsOf = (query: string): readonly PaletteGroup[] => {
    const isSearching = query.trim() !== '';
    const pages = isSearching ? search.find(query, MAX_PAGES) : recentPages(index, MAX_RECENT);
    return [
      {
        title: isSearching ? 'Pages' : 'Recent',
        entries: pages.map((match) =>
          pageEntry(match, index, (isBeside) => {
            const path = pagePath(workspace.slug, match.entry);
            if (isBeside) window.open(path, '_blank', 'noopener');
            else void navigate(path);
          }),
        ),
      },
      {
        title: 'People',
        entries: people.find(query, MAX_PEOPLE).map(({ entry, characters }) => ({ ...entry, characters })),
      },
      ...(isSearching
        ? [
            {
              title: 'Actions',
              entries: actionSearch.find(query, MAX_ACTIONS).map(({ entry, characters }) => ({ ...entry, characters })),
            },
          ]
        : [
            { title: 'On this page', entries: onPage },
            { title: 'Anywhere', entries: anywhere },
          ]),
      {
        title: 'Text',
        entries: [
          {
            id: 'text',
            name: isSearching ? `Search all text for “${query.trim()}”` : 'Search all text',
            icon: <TextSearch className="icon" />,
            aside: <KeyCaps keys="Mod-Shift-f" />,
            onChoose: () => void navigate(searchAddress(workspace.slug, query.trim())),
          },
        ],
      },
    ];
  };
  return (
    <Palette
      label="Search pages, people and actions"
      icon={<Search className="icon" />}
      groupsOf={groupsOf}
      enterText="to open"
      hasBeside
      onClose={onClose}
    />
  );
}

/** The others who have a page of this workspace open. Choosing one leads to that page. */
function usePeopleEntries() {
  const { identity } = usePerson();
  const { workspace, locationsAtom, presentAtom, indexAtom } = useWorkspace();
  const present = useValue(presentAtom);
  const locations = useValue(locationsAtom);
  const { pages } = useValue(indexAtom);
  const navigate = useNavigate();
  return useMemo(() => {
    const entries = Array.from(present.values()).flatMap((person): PaletteEntry | readonly PaletteEntry[] => {
      const document = pageOf(locations, person.id);
      const page = document === null ? undefined : pages.get(document);
      if (person.id === identity.id || page === undefined) return [];
      return {
        id: person.id,
        name: person.displayName,
        note: `on “${shownTitle(page.title)}” now`,
        icon: <PersonTag name={person.displayName} color={person.color} picture={person.avatarPath} />,
        aside: <span className="palette-note">Go to page</span>,
        onChoose: () => void navigate(pagePath(workspace.slug, page)),
      };
    });
    return nameSearch(entries, ({ name }) => name);
  }, [present, locations, pages, identity, workspace, navigate]);
}

function usePageActions({ present, share }: Shell): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const path = useMatch('/w/:workspace/p/:page')?.pathname;
  const offered: readonly PaletteEntry[] = [
    ...(share === null ? [] : [{ id: 'share', name: 'Share', icon: <Share className="icon" />, onChoose: share }]),
    ...(present === null
      ? []
      : [{ id: 'present', name: 'Present', icon: <Presentation className="icon" />, onChoose: present }]),
  ];
  if (path === undefined) return offered;
  return [
    ...offered,
    {
      id: 'history',
      name: 'History',
      icon: <History className="icon" />,
      onChoose: () => void navigate(historyAddress(path)),
    },
  ];
}

/** Screens of the workspace that members have. */
const PLACES = [
  { name: 'Members and invitations', pathOf: membersPath, icon: <Users className="icon" /> },
  { name: 'Trash', pathOf: trashPath, icon: <Trash className="icon" /> },
  { name: 'Workspace settings and export', pathOf: settingsPath, icon: <Settings className="icon" /> },
];

function useActions(shell: Shell, onTemplates: () => void): readonly PaletteEntry[] {
  const mayCreate = useMayCreatePages();
  const { isDark, switchTheme } = useDarkTheme();
  const help = useHelp();
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const own: readonly PaletteEntry[] = mayCreate
    ? [
        { id: 'new', name: 'New page', icon: <Plus className="icon" />, onChoose: () => shell.newPage(null) },
        {
          id: 'template',
          name: 'New page from a template',
          icon: <LayoutTemplate className="icon" />,
          onChoose: onTemplates,
        },
        { id: 'import', name: 'Import', icon: <Upload className="icon" />, onChoose: shell.importFiles },
      ]
    : [];
  const places = mayCreate ? PLACES : [];
  return [
    ...own,
    ...places.map(({ name, pathOf, icon }) => {
      const path = pathOf(workspace.slug);
      return { id: path, name, icon, onChoose: () => void navigate(path) };
    }),
    {
      id: 'theme',
      name: isDark ? 'Use light theme' : 'Use dark theme',
      icon: isDark ? <Sun className="icon" /> : <Moon className="icon" />,
      onChoose: switchTheme,
    },
    { id: 'keys', name: 'Keys and marks', icon: <Keyboard className="icon" />, onChoose: help },
    {
      id: 'account',
      name: 'Account settings',
      icon: <Settings className="icon" />,
      onChoose: () => void navigate('/account'),
    },
  ];
}
