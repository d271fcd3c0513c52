// Two connected people on one page, and helpers that read their documents without their editors.
import { expect } from 'vitest';
import { bodyOf } from 'weft-document/names.ts';
import * as Y from 'yjs';
import { linesOf, openPage } from './opened-page.ts';
import { type PageSession, connect, pageSession } from './page-session.ts';

/** Two connected sessions. */
export function twoPeople(seed: Uint8Array) {
  const alice = pageSession(seed);
  const bob = pageSession(seed);
  return { alice, bob, wire: connect(alice, bob) };
}

/**
 * Two connected sessions in real editors. `agree` asserts that both show the same and neither detached from its
 * document.
 */
export function twoEditors(seed: Uint8Array) {
  const people = twoPeople(seed);
  const [a, b] = [openPage(people.alice), openPage(people.bob)];
  const agree = () => {
    expect(linesOf(people.alice)).toEqual(linesOf(people.bob));
    expect(a.shown()).toEqual(b.shown());
    expect(a.detachCount() + b.detachCount()).toBe(0);
  };
  return { ...people, a, b, agree };
}

/** The text of each node of the body, without marks. */
export const wordsOf = ({ doc }: Pick<PageSession, 'doc'>): readonly string[] =>
  bodyOf(doc).toArray().map(charactersIn);

/** The names of the nodes of the body. */
export const nodesOf = ({ doc }: Pick<PageSession, 'doc'>): readonly string[] =>
  bodyOf(doc)
    .toArray()
    .map((node) => (node instanceof Y.XmlElement ? node.nodeName : 'text'));

function charactersIn(node: unknown): string {
  if (node instanceof Y.XmlText) {
    const pieces: readonly { readonly insert?: unknown }[] = node.toDelta();
    return pieces.map(({ insert }) => (typeof insert === 'string' ? insert : '')).join('');
  }
  const children: readonly unknown[] = node instanceof Y.XmlElement ? node.toArray() : [];
  return children.map(charactersIn).join('');
}
