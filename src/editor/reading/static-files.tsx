// Pictures and files for reading, drawn by the same code as in the editor.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type FileBlock, type ImageBlock, textOfRuns } from '../../document/blocks/block.ts';
import type { PageFiles } from '../../state/file-ports.ts';
import { createFileCard } from '../files/file-card.ts';
import { createPicture } from '../files/picture.ts';

type Drawn<Facts> = {
  readonly dom: HTMLElement;
  readonly update: (facts: Facts) => void;
  readonly destroy: () => void;
};

export function StaticPicture({ block, files }: { readonly block: ImageBlock; readonly files: PageFiles | null }) {
  const { file, name, width, height, size, runs } = block;
  return useDrawn(createPicture, files, { file, name, width, height, size, caption: textOfRuns(runs) });
}

export function StaticFile({ block, files }: { readonly block: FileBlock; readonly files: PageFiles | null }) {
  const { file, name, bytes } = block;
  return useDrawn(createFileCard, files, { file, name, bytes });
}

function useDrawn<Facts>(
  create: (files: PageFiles | null, writable: null) => Drawn<Facts>,
  files: PageFiles | null,
  facts: Facts,
) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn<Facts>>(null);
  const first = useRef(facts);
  useLayoutEffect(() => {
    const made = create(files, null);
    made.update(first.current);
    place.current?.replaceChildren(made.dom);
    drawn.current = made;
    return () => made.destroy();
  }, [create, files]);
  useEffect(() => {
    first.current = facts;
    drawn.current?.update(facts);
  });
  return <div ref={place} className="drawn" />;
}
