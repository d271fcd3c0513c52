// A page's blocks for views that never write. A block is parsed again only after a change in it, so an unchanged block
// stays the same object (but loose content is a new one after each change of the page).
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import { onePer } from '../../lib/one-per.ts';
import { Subscribable } from '../../lib/subscribable.ts';
import type { Block } from '../blocks/block.ts';
import { type BodyPart, bodyParts } from '../body-parts.ts';
import { bodyOf } from '../names.ts';
import { parsePart } from './parse-body.ts';

export interface BodyView {
  /** The same array until something in the body changes. */
  readonly get: () => readonly Block[];
  /** Runs the callback after each transaction that changed the body. */
  readonly subscribe: (run: () => void) => Cancel;
}

/** One view per document. It listens for as long as the document lives. */
export const bodyViewOf = onePer((doc: Y.Doc): BodyView => {
  const body = bodyOf(doc);
  const parsed = new WeakMap<object, Block>();
  const changes = new Subscribable();
  let blocks: readonly Block[] | null = null;

  const parseOnce = (part: BodyPart): Block => {
    const { element } = part;
    const block = (element === null ? undefined : parsed.get(element)) ?? parsePart(part);
    if (element !== null) parsed.set(element, block);
    return block;
  };
  // `observeDeep` would make an event with a path for each changed block: minutes for a hostile row.
  doc.on('afterTransaction', ({ changedParentTypes }: Y.Transaction) => {
    const types: ReadonlySet<unknown> = new Set(changedParentTypes.keys());
    if (!types.has(body)) return;
    for (const type of changedParentTypes.keys()) parsed.delete(type);
    blocks = null;
    changes.notify();
  });
  return {
    get: () => (blocks ??= bodyParts(body).map(parseOnce)),
    subscribe: changes.subscribe,
  };
});
