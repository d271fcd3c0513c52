// Pictures and files for reading, drawn by the same code as in the editor.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type FileBlock, type ImageBlock, textOfRuns } from 'weft-document/blocks/block.ts';
import type { PageFiles } from '../../ports/files.ts';
import { createFileCard } from '../files/file-card.ts';
import { createPicture } from '../files/picture.ts';

type Drawn<Attributes> = {
  readonly dom: HTMLElement;
  readonly update: (attributes: Attributes) => void;
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

function useDrawn<Attributes>(
  create: (files: PageFiles | null, writable: null) => Drawn<Attributes>,
  files: PageFiles | null,
  attributes: Attributes,
) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn<Attributes>>(null);
  const latest = useRef(attributes);
  useLayoutEffect(() => {
    const created = create(files, null);
    created.update(latest.current);
    host.current?.replaceChildren(created.dom);
    drawn.current = created;
    return () => created.destroy();
  }, [create, files]);
  useEffect(() => {
    latest.current = attributes;
    drawn.current?.update(attributes);
  });
  return <div ref={host} className="drawn" />;
}
