// Follows the block of one comment. A block that is moved, restored or brought back by undo keeps its id; one that is cut and pasted
// gets another.
import * as Y from 'yjs';
import type { BlockAnchor } from '../../protocol/comments.ts';
import { textOfPart } from '../body-parts.ts';
import { textOfDeleted } from '../history/deleted-node.ts';
import { bodyOf } from '../names.ts';
import { deletedAttribute, deletedParts, insertedBlocks } from '../recovered-text/deleted-part.ts';
import { type PageMoment, findBlock } from './find-anchor.ts';
import type { FoundAnchor } from './found-anchor.ts';
import { blockAnchor } from './make-anchor.ts';
import type { TrackedChange } from './tracked-change.ts';

/** The name of a block's node, what it shows, and its text. */
type Content = string;

export class TrackedBlock {
  readonly isDue = true;
  #block: string;
  /** Null while the block is there, and if it has nothing that tells it from others. */
  #lost: Content | null = null;

  constructor({ block }: BlockAnchor) {
    this.#block = block;
  }

  settle({ block }: BlockAnchor): void {
    this.#block = block;
  }

  isTouchedBy({ transaction }: TrackedChange): boolean {
    return Array.from(transaction.changed.keys() as Iterable<unknown>).some((type) => !(type instanceof Y.XmlText));
  }

  follow({ transaction, moment }: TrackedChange): BlockAnchor | null {
    const { doc } = transaction;
    if (moment.blocks().has(this.#block)) {
      this.#lost = null;
      return null;
    }
    const deleted = deletedParts(transaction).find(
      (part) => part.parent === bodyOf(doc) && deletedAttribute(part, 'id') === this.#block,
    );
    if (deleted !== undefined)
      this.#lost = contentOf(deleted, (name) => deletedAttribute(deleted, name), textOfDeleted(deleted, transaction));
    if (this.#lost === null) return null;
    const same = insertedBlocks(transaction).filter((block) => livingContent(block) === this.#lost);
    const id: unknown = same.length === 1 ? same[0]?.getAttribute('id') : null;
    const anchor = typeof id === 'string' ? blockAnchor(doc, id) : null;
    if (anchor === null) return null;
    this.#block = anchor.block;
    this.#lost = null;
    return anchor;
  }

  locate(page: PageMoment): { readonly found: FoundAnchor; readonly moved: null } {
    return { found: findBlock(page, this.#block), moved: null };
  }
}

function livingContent(block: Y.XmlElement): Content | null {
  const text = block._item === null ? '' : textOfPart({ first: block._item, length: 1 });
  return contentOf(block, (name) => block.getAttribute(name), text);
}

function contentOf({ nodeName }: Y.XmlElement, attribute: (name: string) => unknown, text: string): Content | null {
  const shown = ['file', 'url'].map(attribute).filter((value) => typeof value === 'string' && value !== '');
  return shown.length === 0 && text.trim() === '' ? null : JSON.stringify([nodeName, shown, text]);
}
