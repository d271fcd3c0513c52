// The workspace's first screen: who is where now, and the pages to go on with.
import Plus from 'lucide-react/icons/plus';
import { textOf } from '../../protocol/errors.ts';
import { useValue, useWorkspace } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Bones, Empty } from '../../ui/feedback/skeleton.tsx';
import { OpenNow } from './open-now.tsx';
import { RecentPages } from './recent-pages.tsx';
import './home.css';

export function Home({ onNewPage }: { readonly onNewPage: () => void }) {
  const { workspace, listAtom, refresh } = useWorkspace();
  const list = useValue(listAtom);
  const pages = list.value?.documents ?? null;
  return (
    <div className="home">
      <h1>{list.value?.workspace.name ?? workspace.name}</h1>
      {pages === null && list.error === null && <Bones label="Loading pages" widths={['46%', '78%', '64%', '70%']} />}
      {pages === null && list.error !== null && (
        <Empty title={textOf(list.error)} actions={<Button onClick={() => void refresh()}>Try now</Button>}>
          <p>The list of pages is not on this device yet.</p>
        </Empty>
      )}
      {pages?.length === 0 && (
        <Empty
          title="No pages yet"
          actions={
            <Button look="main" onClick={onNewPage}>
              <Plus className="icon" />
              New page
            </Button>
          }
        >
          <p>Start one, or drop Markdown files here.</p>
        </Empty>
      )}
      {pages !== null && pages.length > 0 && (
        <>
          <OpenNow pages={pages} />
          <RecentPages pages={pages} />
        </>
      )}
    </div>
  );
}
