// `/w/:workspace/p/:page/history`: the history of a page. Keeps the page open, because what is written meanwhile shows, and a
// restored version is an edit of it.
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import { mayEdit } from 'weft-sync/protocol/roles.ts';
import { SubpagesContext } from '../../editor/subpages/subpages-context.ts';
import { HistoryPage } from '../../features/history/history-page.tsx';
import type { HistoryTools } from '../../features/history/history-tools.ts';
import { FILE_FORMATS, FORMAT_NAMES, type FileFormat, fileNameOf } from '../../features/import-export/file-formats.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { useListedPage, useMayCreatePages, usePage, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { momentInSearch, pagePath } from '../../state/workspace/page-address.ts';
import { placeOfCopy } from '../../state/workspace/tree/tree-moves.ts';
import { CONTENT_TEXTS, PART_NOT_LOADED, shownTitle } from '../../texts/content-texts.ts';
import { saveFile } from '../../ui/browser/save-file.ts';
import { toast } from '../../ui/floating/toast.tsx';
import { subpagesList } from './late-subpages.tsx';
import { NoPage, PageOfAddress } from './page-of-address.tsx';

const loadVersions = () => import('../../features/import-export/export-version.ts');

export const HistoryScreen = () => (
  <PageOfAddress missing={<NoPage />}>
    <Opened />
  </PageOfAddress>
);

function Opened() {
  const page = usePage();
  const { workspace } = useWorkspace();
  const listed = useListedPage(page.documentId);
  const title = useValue(page.titleAtom) ?? listed?.title ?? '';
  const isAccessLost = useValue(page.isAccessLostAtom);
  const error = useValue(page.errorAtom);
  const tools = useTools(title);
  const moment = momentInSearch(useLocation().search);
  if (isAccessLost || error?.code === 'WF001') return <NoPage />;
  return (
    <SubpagesContext value={subpagesList}>
      <TabTitle title={`History of ${shownTitle(title)}`} />
      <HistoryPage
        key={moment}
        page={page}
        tools={{ ...tools, moment, address: pagePath(workspace.slug, { id: page.documentId, title }) }}
      />
    </SubpagesContext>
  );
}

function useTools(title: string): Omit<HistoryTools, 'address' | 'moment'> {
  const page = usePage();
  const person = usePerson();
  const open = useWorkspace();
  const { workspace, indexAtom, onChange } = open;
  const index = useValue(indexAtom);
  const navigate = useNavigate();
  const role = useValue(page.roleAtom);
  const place = placeOfCopy(index, page.documentId, useMayCreatePages());
  const mayCopy = place.parent !== page.documentId || mayEdit(role);
  const copy = async (file: PageFile) => {
    const loaded = await loadVersions().catch(() => null);
    if (loaded === null) return toast(PART_NOT_LOADED);
    const copied = await loaded.copyVersion(file, page.documentId, place, person, open);
    if (copied.ok) void navigate(pagePath(workspace.slug, copied.page));
    else toast(copied.why);
  };
  const exportAs = async (file: PageFile, format: FileFormat) => {
    const loaded = await loadVersions().catch(() => null);
    if (loaded === null) return toast(PART_NOT_LOADED);
    const exported = await loaded.exportVersion(file, format, page.files).catch(() => null);
    if (exported === null) return toast('This version can’t be exported.');
    const { text, isComplete } = exported;
    if (!isComplete) toast(CONTENT_TEXTS.exportTooComplex);
    saveFile(new TextEncoder().encode(text), fileNameOf(title, format));
  };
  const watchVersions = useCallback(
    (run: () => void) =>
      onChange((change) => {
        if (change.kind === 'version' && change.id === page.documentId) run();
      }),
    [onChange, page.documentId],
  );
  return {
    title: shownTitle(title),
    formats: FILE_FORMATS.map((format) => ({ id: format, name: `${FORMAT_NAMES[format]} (.${format})` })),
    onExport(file, id) {
      const format = FILE_FORMATS.find((one) => one === id);
      if (format !== undefined) void exportAs(file, format);
    },
    onCopy: mayCopy ? copy : null,
    watchVersions,
  };
}
