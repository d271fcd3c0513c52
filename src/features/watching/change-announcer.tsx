// Announces to assistive technology that the watched page changed, and where: seldom, and in a pause between changes.
// Without names: a watcher does not learn who writes.
import { useEffect, useRef } from 'react';
import { type Block } from 'weft-document/blocks/block.ts';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import type { FreshText } from 'weft-document/body/fresh-text.ts';
import { Announcer } from '../../editor/announcements/announcer.ts';
import { useAnnouncements } from '../../editor/announcements/use-announcements.tsx';

type ChangeAnnouncerProps = { readonly fresh: readonly FreshText[]; readonly blocks: readonly Block[] };

export function ChangeAnnouncer({ fresh, blocks }: ChangeAnnouncerProps) {
  const [region, announce] = useAnnouncements('What changes');
  const latestBlocks = useRef(blocks);
  const announcer = useRef<Announcer>(null);
  /** One object per block: the announcer recognizes a block by its object. */
  const blockObjects = useRef(new Map<string, { readonly key: string }>());
  useEffect(() => {
    latestBlocks.current = blocks;
  }, [blocks]);
  useEffect(() => {
    const created = new Announcer({
      announce,
      wordsOf: (block) => textOfBlocks(latestBlocks.current.filter(({ key }) => 'key' in block && key === block.key)),
      now: () => performance.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    });
    announcer.current = created;
    return () => created.stop();
  }, [announce]);
  useEffect(() => {
    for (const { key } of fresh) {
      const block = blockObjects.current.get(key) ?? { key };
      blockObjects.current.set(key, block);
      announcer.current?.changed('The writers', block);
    }
  }, [fresh]);
  return region;
}
