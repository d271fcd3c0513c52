// A page's earlier states, its authors and its changes, from the record of its log.
import * as Y from 'yjs';
import { firstIndex } from '../../lib/lists/first-index.ts';
import { mapValues } from '../../lib/lists/map-values.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import type { Block } from '../blocks/block.ts';
import { looseBlock, parseNode } from '../body/parse-body.ts';
import { comparePages } from '../changes/compare-pages.ts';
import type { PageChanges, RemovedText, TextRange } from '../changes/page-changes.ts';
import { OWN_TEXT, type TextPart, cellPart } from '../changes/text-part.ts';
import { type JsonNode, PAGE_FORMAT, type PageFile } from '../formats/page-json.ts';
import { CELL, ROW, TABLE, bodyOf, titleOf } from '../names.ts';
import { beginning } from '../title.ts';
import { broughtBack } from './brought-back.ts';
import { type ContributionIndex, type ItemRange, NEVER } from './item-history.ts';
import type { PageRecord } from './page-record.ts';
import { PastNodes, type Sees } from './page-view.ts';

/** Contributions are indexes. Offsets are UTF-16 units in the text of a part. */
export type AuthoredPart = readonly {
  readonly from: number;
  readonly to: number;
  readonly contribution: ContributionIndex;
}[];
export type Authored = ReadonlyMap<string, ReadonlyMap<TextPart, AuthoredPart>>;

/** `changes`, and who made them. All maps are by the key of the block. */
export type ComparedPages = {
  readonly changes: PageChanges;
  /** For each changed or new block. */
  readonly authors: Authored;
  /** The last contribution to each changed or new block. */
  readonly blockContributions: ReadonlyMap<string, ContributionIndex>;
  /** Which contribution took each removed text away, in the order of `removed`; null if it is not known. */
  readonly removals: ReadonlyMap<string, ReadonlyMap<TextPart, readonly (ContributionIndex | null)[]>>;
  /** The same for each removed block. */
  readonly blockRemovals: ReadonlyMap<string, ContributionIndex>;
};

/** A block as it was, with its range and element for further questions. */
type Part = {
  readonly block: Block;
  /** Null for loose content. */
  readonly element: Y.XmlElement | null;
  readonly range: ItemRange;
};
type Parsed = { readonly version: ContributionIndex; readonly block: Block };

/** Earlier forms of a block that are remembered, for stepping to and fro. */
const FORMS = 4;

/** `sessions/history/page-log.ts` makes it, and fills the record by replaying the log. */
export class RecordedHistory<Contribution> {
  readonly #record: PageRecord<Contribution>;
  readonly #parsed = new WeakMap<object, readonly Parsed[]>();

  constructor(record: PageRecord<Contribution>) {
    this.#record = record;
  }

  /** `limit`: the page as of the contributions below it. */
  blocks(limit: ContributionIndex): readonly Block[] {
    return this.#parts(this.#viewOf(limit), limit).map(({ block }) => block);
  }

  title(limit: ContributionIndex): string {
    return titleIn(this.#viewOf(limit), this.#record.doc);
  }

  file(limit: ContributionIndex): PageFile {
    return fileOf(this.#viewOf(limit), this.#record.doc);
  }

  authors(limit: ContributionIndex): Authored {
    const view = this.#viewOf(limit);
    const authorsIn = (characters: readonly ItemRange[]) => this.#authorsOf(characters);
    return new Map(
      this.#parts(view, limit).flatMap(({ block, element }) =>
        element === null ? [] : [[block.key, mapValues(charactersByPart(view, element), authorsIn)] as const],
      ),
    );
  }

  /** The changes from one state to another; `from` may be the later one. */
  compare(from: ContributionIndex, to: ContributionIndex): ComparedPages {
    const [oldView, newView] = [this.#viewOf(from), this.#viewOf(to)];
    const [oldParts, newParts] = [this.#parts(oldView, from), this.#parts(newView, to)];
    const changes = comparePages(
      oldParts.map(({ block }) => block),
      newParts.map(({ block }) => block),
    );
    const oldByKey = new Map(oldParts.map((part) => [part.block.key, part]));
    const newByKey = new Map(newParts.map((part) => [part.block.key, part]));
    /** The contribution that takes a range away between the two states. */
    const takerOf = ({ born, died }: ItemRange): ContributionIndex | null =>
      from <= to ? (died < to ? died : null) : born >= to ? born : null;
    const authors = new Map<string, ReadonlyMap<TextPart, AuthoredPart>>();
    const blockContributions = new Map<string, ContributionIndex>();
    const removals = new Map<string, ReadonlyMap<TextPart, readonly (ContributionIndex | null)[]>>();
    for (const { key, before, text, cells } of changes.blocks) {
      const [now, then] = [newByKey.get(key), oldByKey.get(before ?? '')];
      if (now === undefined || now.element === null) continue;
      authors.set(
        key,
        mapValues(charactersByPart(newView, now.element), (characters) => this.#authorsOf(characters)),
      );
      const contribution = this.#lastContribution(now.element, Math.max(from, to));
      if (contribution !== null) blockContributions.set(key, contribution);
      const oldElement = then?.element ?? null;
      if (oldElement === null) continue;
      const old = charactersByPart(oldView, oldElement);
      const found = new Map<TextPart, readonly (ContributionIndex | null)[]>();
      if (text !== null) found.set(OWN_TEXT, takersOf(old.get(OWN_TEXT) ?? [], text.removed, text.inserted, takerOf));
      for (const cell of cells) {
        const part = cellPart(cell.row, cell.column);
        const isSame = now.element === oldElement;
        found.set(
          part,
          takersOf((isSame ? old.get(part) : undefined) ?? [], cell.text.removed, cell.text.inserted, takerOf),
        );
      }
      removals.set(key, found);
    }
    const blockRemovals = new Map<string, ContributionIndex>();
    for (const { key } of changes.removed.flatMap(({ blocks }) => blocks)) {
      const part = oldByKey.get(key);
      const contribution = part === undefined ? null : takerOf(part.range);
      if (contribution !== null) blockRemovals.set(key, contribution);
    }
    return { changes, authors, blockContributions, removals, blockRemovals };
  }

  /**
   * The present page without the effects of the contributions that `isUndone` names: their removals come back, unless someone
   * restored them already. A block that they inserted stays if someone else wrote in it, and then the block that it is a copy of
   * does not come back.
   */
  without(isUndone: (contribution: ContributionIndex) => boolean): {
    readonly blocks: readonly Block[];
    readonly file: PageFile;
  } {
    const { doc, items } = this.#record;
    /** Contributions that moved characters into blocks that stay. These characters are not brought back where they were. */
    const keptMoves = new Set<ContributionIndex>();
    const isBack = (died: ContributionIndex) => died === NEVER || (isUndone(died) && !keptMoves.has(died));
    const plain: Sees = ({ born, died }) => !isUndone(born) && isBack(died);
    const isWriting = ({ born, died, client, clock, content }: ItemRange): boolean => {
      const author = content.type === 'text' ? this.#record.authorOf(client, clock).contribution : born;
      return !isUndone(author) && isBack(died);
    };
    /**
     * Elements that they inserted and others wrote in. These keep the characters of others, and characters that were moved there.
     */
    const kept = new Set<ItemRange>();
    const keptNodes = new Set<object>();
    const present = new PastNodes(items, ({ died }) => died === NEVER);
    const keepIn = (range: ItemRange): boolean => {
      if (range.content.type !== 'node') return false;
      const { node } = range.content;
      let isKept = false;
      for (const inner of present.seen(node)) {
        if (inner.content.type === 'node') isKept = keepIn(inner) || isKept;
        else if (inner.content.type === 'text') isKept ||= !isUndone(inner.born);
      }
      if (isKept && isUndone(range.born)) {
        kept.add(range);
        keptNodes.add(node);
      }
      return isKept;
    };
    for (const range of present.seen(bodyOf(doc))) keepIn(range);
    const keptIds = new Set<unknown>();
    for (const node of keptNodes) {
      if (!(node instanceof Y.AbstractType)) continue;
      for (const { content, born, client, clock } of present.seen(node))
        if (content.type === 'text' && isUndone(born) && !isUndone(this.#record.authorOf(client, clock).contribution))
          keptMoves.add(born);
    }
    for (const { content } of kept) if (content.type === 'node') keptIds.add(present.attributes(content.node)['id']);
    const sees: Sees = (range) => {
      const { content, died } = range;
      if (kept.has(range)) return true;
      if (content.type === 'node' && content.node instanceof Y.XmlElement && died !== NEVER && isUndone(died)) {
        const id = present.attributes(content.node)['id'] ?? idBefore(items.of(content.node).attributes.get('id'));
        if (id !== undefined && keptIds.has(id)) return false;
      }
      return plain(range);
    };
    // Inside of a kept copy, characters that were only moved belong to their first author.
    const isKept = (node: object) => keptNodes.has(node);
    const seesInKept: Sees = (range) => (range.content.type === 'text' ? isWriting(range) : range.died === NEVER);
    const standing = broughtBack(items, [bodyOf(doc), titleOf(doc)], (node) => (isKept(node) ? seesInKept : sees));
    const once =
      (seen: Sees): Sees =>
      (range) =>
        !standing.has(range) && seen(range);
    const view = new PastNodes(items, once(sees), { isKept, sees: once(seesInKept) });
    return { blocks: this.#parts(view, null).map(({ block }) => block), file: fileOf(view, doc) };
  }

  #viewOf(limit: ContributionIndex): PastNodes {
    return new PastNodes(this.#record.items, ({ born, died }) => born < limit && died >= limit);
  }

  /** With a limit, blocks that did not change since are parsed once. */
  #parts(view: PastNodes, limit: ContributionIndex | null): readonly Part[] {
    const parts: Part[] = [];
    let loose: ItemRange[] = [];
    const finish = () => {
      const [first] = loose;
      if (first !== undefined)
        parts.push({
          block: looseBlock(`${first.client}.${first.clock}`, view.textInside(loose)),
          element: null,
          range: first,
        });
      loose = [];
    };
    for (const range of view.seen(bodyOf(this.#record.doc))) {
      const { content } = range;
      if (content.type === 'mark') continue;
      if (content.type !== 'node' || !(content.node instanceof Y.XmlElement)) {
        loose.push(range);
        continue;
      }
      finish();
      parts.push({ block: this.#parse(view, content.node, limit), element: content.node, range });
    }
    finish();
    return parts;
  }

  #parse(view: PastNodes, element: Y.XmlElement, limit: ContributionIndex | null): Block {
    if (limit === null) return parseNode(element.nodeName, view.source(element));
    const version = this.#lastContribution(element, limit) ?? -1;
    const known = this.#parsed.get(element) ?? [];
    const same = known.find((one) => one.version === version);
    if (same !== undefined) return same.block;
    const block = parseNode(element.nodeName, view.source(element));
    this.#parsed.set(element, [{ version, block }, ...known].slice(0, FORMS));
    return block;
  }

  /** The newest contribution below the limit that changed something in an element. */
  #lastContribution(element: Y.XmlElement, limit: ContributionIndex): ContributionIndex | null {
    const contributions = this.#record.items.contributionsOf(element);
    return contributions[firstIndex(contributions.length, (at) => (contributions[at] ?? 0) >= limit) - 1] ?? null;
  }

  #authorsOf(characters: readonly ItemRange[]): AuthoredPart {
    const found: { from: number; to: number; contribution: ContributionIndex }[] = [];
    let at = 0;
    for (const { client, clock, length } of characters) {
      for (let done = 0; done < length;) {
        const { contribution, end } = this.#record.authorOf(client, clock + done);
        const step = Math.min(length, end - clock) - done;
        const last = found.at(-1);
        if (last?.contribution === contribution) last.to += step;
        else found.push({ from: at, to: at + step, contribution });
        at += step;
        done += step;
      }
    }
    return found;
  }
}

const idBefore = (values: readonly ItemRange[] | undefined): unknown => {
  const content = values?.at(-1)?.content;
  return content?.type === 'values' ? content.values.at(-1) : undefined;
};

function charactersByPart(view: PastNodes, element: Y.XmlElement): ReadonlyMap<TextPart, readonly ItemRange[]> {
  if (element.nodeName !== TABLE) return new Map([[OWN_TEXT, view.characters(element)]]);
  return new Map(
    view
      .elements(element, ROW)
      .flatMap((row, y) => view.elements(row, CELL).map((cell, x) => [cellPart(y, x), view.characters(cell)] as const)),
  );
}

/**
 * For each removed text the contribution that took its first characters away. Its place in the old text follows from the new one.
 */
function takersOf(
  characters: readonly ItemRange[],
  removed: readonly RemovedText[],
  inserted: readonly TextRange[],
  takerOf: (range: ItemRange) => ContributionIndex | null,
): readonly (ContributionIndex | null)[] {
  let shift = 0;
  let next = 0;
  let gone = 0;
  return removed.map(({ at, text }) => {
    for (let range = inserted[next]; range !== undefined && range.from < at; range = inserted[++next])
      shift += range.to - range.from;
    const from = at - shift + gone;
    gone += text.length;
    let offset = 0;
    for (const range of characters) {
      offset += range.length;
      if (offset <= from) continue;
      const taker = takerOf(range);
      if (taker !== null) return taker;
      if (offset >= from + text.length) break;
    }
    return null;
  });
}

function titleIn(view: PastNodes, doc: Y.Doc): string {
  const characters = view.seen(titleOf(doc)).map(({ content }) => (content.type === 'text' ? content.text : ''));
  return beginning(characters.join(''));
}

function fileOf(view: PastNodes, doc: Y.Doc): PageFile {
  const body = view
    .nodes(bodyOf(doc))
    .flatMap((node): readonly JsonNode[] => (node instanceof Y.XmlElement ? view.json(node) : []));
  return { format: PAGE_FORMAT, version: SCHEMA_VERSION, document: null, title: titleIn(view, doc), body };
}
