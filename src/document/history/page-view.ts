// A node of the page as it was: the part of its history that a view sees. Reads it as Yjs reads the present one.
import * as Y from 'yjs';
import type { Run } from '../blocks/block.ts';
import { type NodeSource, runsOfDelta } from '../body/parse-body.ts';
import { type JsonNode, MAX_NODE_DEPTH, MAX_NODE_NAME, jsonRecord, pieceOf } from '../formats/page-json.ts';
import { CELL, ROW } from '../names.ts';
import type { ItemHistory, ItemRange, RangeContent, SharedType } from './item-history.ts';

/** Whether a range is there in the state of the page that a view shows. */
export type Sees = (range: ItemRange) => boolean;

type DeltaPiece = {
  readonly insert: unknown;
  readonly attributes: Readonly<Record<string, unknown>> | null;
  readonly ranges: readonly ItemRange[];
};

/** For the nodes that `isKept` names, `sees` decides in place of the view's own `Sees`. */
export type Exception = { readonly isKept: (node: SharedType) => boolean; readonly sees: Sees };

export class PastNodes {
  readonly #items: ItemHistory;
  readonly #sees: Sees;
  readonly #exception: Exception | null;

  constructor(items: ItemHistory, sees: Sees, exception: Exception | null = null) {
    this.#items = items;
    this.#sees = sees;
    this.#exception = exception;
  }

  seen(node: SharedType): readonly ItemRange[] {
    return this.#items.of(node).ranges.filter(this.#seesIn(node));
  }

  #seesIn(node: SharedType): Sees {
    return this.#exception?.isKept(node) === true ? this.#exception.sees : this.#sees;
  }

  attributes(node: SharedType): Readonly<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const [name, values] of this.#items.of(node).attributes) {
      const last = values.findLast(this.#seesIn(node));
      if (last !== undefined) found[name] = valueOf(last.content);
    }
    return found;
  }

  nodes(node: SharedType): readonly Y.ContentType['type'][] {
    return this.seen(node).flatMap(({ content }) => (content.type === 'node' ? [content.node] : []));
  }

  elements(node: SharedType, name: string): readonly Y.XmlElement[] {
    return this.nodes(node).filter((one): one is Y.XmlElement => one instanceof Y.XmlElement && one.nodeName === name);
  }

  texts(node: SharedType): readonly Y.XmlText[] {
    return this.nodes(node).filter((one): one is Y.XmlText => one instanceof Y.XmlText);
  }

  /** Works like `toDelta` of Yjs: each mark begins a piece, also one that changes nothing. */
  delta(text: SharedType): readonly DeltaPiece[] {
    const pieces: DeltaPiece[] = [];
    const marks = new Map<string, unknown>();
    let characters = '';
    let ranges: ItemRange[] = [];
    const attributes = () => (marks.size === 0 ? null : Object.fromEntries(marks));
    const pack = () => {
      if (characters !== '') pieces.push({ insert: characters, attributes: attributes(), ranges });
      characters = '';
      ranges = [];
    };
    for (const range of this.seen(text)) {
      const { content } = range;
      if (content.type === 'text') {
        characters += content.text;
        ranges.push(range);
      } else if (content.type === 'mark') {
        pack();
        if (content.value === null) marks.delete(content.name);
        else marks.set(content.name, content.value);
      } else if (content.type === 'embed' || content.type === 'node') {
        pack();
        pieces.push({ insert: valueOf(content), attributes: attributes(), ranges: [] });
      }
    }
    pack();
    return pieces;
  }

  /** The characters that a block's view shows, as ranges that tell their origin. */
  characters(element: SharedType): readonly ItemRange[] {
    return this.texts(element).flatMap((text) => this.delta(text).flatMap(({ ranges }) => ranges));
  }

  source(element: Y.XmlElement): NodeSource {
    return {
      key: typeKey(element),
      attributes: this.attributes(element),
      runs: () => this.#runs(element),
      cells: () =>
        this.elements(element, ROW).map((row) =>
          this.elements(row, CELL).map((cell) => ({
            key: typeKey(cell),
            attributes: this.attributes(cell),
            runs: this.#runs(cell),
          })),
        ),
      text: () => this.textInside(this.seen(element), true),
    };
  }

  #runs(element: Y.XmlElement): readonly Run[] {
    return this.texts(element).flatMap((text) => runsOfDelta(this.delta(text)));
  }

  /** Like `textOfPart`: one line for each text. `isInside`: the ranges are inside of a node that begins a line. */
  textInside(ranges: readonly ItemRange[], isInside = false): string {
    const lines = isInside ? ['', ''] : [''];
    const waiting: { readonly list: readonly ItemRange[]; at: number }[] = [{ list: ranges, at: 0 }];
    for (let level = waiting.at(-1); level !== undefined; level = waiting.at(-1)) {
      const content = level.list[level.at++]?.content;
      if (content === undefined) {
        waiting.pop();
        continue;
      }
      if (content.type === 'text') lines.push((lines.pop() ?? '') + content.text);
      else if (content.type === 'values') {
        for (const value of content.values) if (typeof value === 'string') lines.push(value, '');
      } else if (content.type !== 'mark') lines.push('');
      if (content.type === 'node') waiting.push({ list: this.seen(content.node), at: 0 });
    }
    return lines.filter((line) => line !== '').join('\n');
  }

  /** The node in the form of the page's file. */
  json(node: Y.ContentType['type'], depth = 0): readonly JsonNode[] {
    if (node instanceof Y.XmlText) return [{ text: this.delta(node).map(pieceOf) }];
    if (!(node instanceof Y.XmlElement) || depth > MAX_NODE_DEPTH) return [];
    if (node.nodeName === '' || node.nodeName.length > MAX_NODE_NAME) return [];
    const content = this.nodes(node).flatMap((child) => this.json(child, depth + 1));
    return [{ node: node.nodeName, attributes: jsonRecord(this.attributes(node)), content }];
  }
}

function valueOf(content: RangeContent): unknown {
  switch (content.type) {
    case 'text':
      return content.text.at(-1);
    case 'values':
      return content.values.at(-1);
    case 'embed':
      return content.value;
    case 'node':
      return content.node;
    case 'mark':
    case 'other':
      return undefined;
  }
}

export function typeKey({ _item: item }: SharedType): string {
  return item === null ? '' : `${item.id.client}.${item.id.clock}`;
}
