// Announces to assistive technology that the watched page changed, and where: seldom, and in a pause between changes.
// Without names: a watcher does not learn who writes.
import { useEffect, useRef, useState } from 'react';
import { type Block } from '../../document/blocks/block.ts';
import { textOfBlocks } from '../../document/body/body-text.ts';
import type { FreshText } from '../../document/body/fresh-text.ts';
import { type Announcer, createAnnouncer } from '../../editor/announcements/announcer.ts';

type ChangeAnnouncerProps = { readonly fresh: readonly FreshText[]; readonly blocks: readonly Block[] };

export function ChangeAnnouncer({ fresh, blocks }: ChangeAnnouncerProps) {
  const [announcement, setAnnouncement] = useState('');
  const now = useRef(blocks);
  const news = useRef<Announcer>(null);
  /** One object per block: `changeNews` recognises a block by its object. */
  const known = useRef(new Map<string, { readonly key: string }>());
  useEffect(() => {
    now.current = blocks;
  }, [blocks]);
  useEffect(() => {
    const made = createAnnouncer({
      say: setAnnouncement,
      wordsOf: (block) => textOfBlocks(now.current.filter(({ key }) => 'key' in block && key === block.key)),
      now: () => performance.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    });
    news.current = made;
    return () => made.stop();
  }, []);
  useEffect(() => {
    for (const { key } of fresh) {
      const block = known.current.get(key) ?? { key };
      known.current.set(key, block);
      news.current?.changed('The writers', block);
    }
  }, [fresh]);
  return (
    <p className="sr" role="log" aria-live="polite" aria-label="What changes">
      {announcement}
    </p>
  );
}
