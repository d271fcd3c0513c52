// Writes all pages of a workspace into one zip: as Markdown with their files, and as Weft files, which keep everything. Loaded on
// demand.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Result } from '../../../lib/result.ts';
import type { Workspace } from '../../../protocol/answers.ts';
import { type PageIndex, pagesBelow } from '../../../state/workspace/tree/page-index.ts';
import { fileNameFor } from './file-paths.ts';
import { type Contents, type ZipJob, type Zipped, zipPages } from './zip-pages.ts';

type ExportJob = Omit<ZipJob, 'pages'> & {
  readonly workspace: Workspace;
  readonly index: PageIndex;
  readonly now: number;
};

/** `weft/workspace.json` names what could not be read. The error is null if the export was cancelled. */
export const zipWorkspace = ({ workspace, index, now, ...job }: ExportJob): Promise<Result<Zipped, WeftError | null>> =>
  zipPages(
    { ...job, pages: pagesBelow(index, null) },
    {
      root: fileNameFor(workspace.name),
      markdown: 'markdown/',
      weft: (page) => `weft/pages/${page}.json`,
      last: (contents) => ({
        name: 'weft/workspace.json',
        input: tableOfContents({ workspace, index, now }, contents),
        lastModified: now,
      }),
    },
  );

function tableOfContents(
  { workspace, index, now }: Pick<ExportJob, 'workspace' | 'index' | 'now'>,
  { pages, missing }: Contents,
): string {
  const content = {
    format: 'weft-workspace',
    version: 1,
    name: workspace.name,
    exportedAt: new Date(now).toISOString(),
    pages: pages.flatMap(({ page: { id, title }, ...paths }) => {
      const listed = index.pages.get(id);
      if (listed === undefined) return [];
      const { parentId, rank, icon, access, createdAt, updatedAt } = listed;
      return {
        id,
        parentId,
        rank,
        title,
        icon,
        access,
        createdAt: new Date(createdAt).toISOString(),
        updatedAt: new Date(updatedAt).toISOString(),
        ...paths,
      };
    }),
    missing,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
