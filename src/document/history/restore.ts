// Makes a page the same as it was before, with few changes: unchanged parts keep their characters and authors, and what
// others write in them meanwhile stays.
import * as Y from 'yjs';
import { longestAscent } from '../../lib/lists/longest-ascent.ts';
import { bodyOf, titleOf } from '../names.ts';
import { restoreText } from './restore-text.ts';

type Parent = Y.XmlFragment | Y.XmlElement;
type Child = Y.XmlElement | Y.XmlText;

/** Changes title and body to those of `earlier`, another document. The caller wraps it in a transaction of its own. */
export function restorePage(doc: Y.Doc, earlier: Y.Doc): void {
  restoreText(titleOf(doc), titleOf(earlier));
  restoreChildren(bodyOf(doc), bodyOf(earlier));
}

/**
 * Changes one block of the body to its state in `earlier`, or inserts it again behind the nearest block before it that is
 * still there. Does nothing if `earlier` has no block with this id.
 */
export function restoreBlock(doc: Y.Doc, earlier: Y.Doc, id: string): void {
  const goals = childrenOf(bodyOf(earlier));
  const goalAt = goals.findIndex((child) => idOf(child) === id);
  const goal = goals[goalAt];
  if (goal === undefined) return;
  const body = bodyOf(doc);
  const children = childrenOf(body);
  const now = children.find((child) => idOf(child) === id);
  if (now !== undefined && isSameKind(now, goal)) {
    restoreNode(now, goal);
    return;
  }
  const before = new Set(goals.slice(0, goalAt).map(idOf));
  const after = now ?? children.findLast((child) => idOf(child) !== null && before.has(idOf(child)));
  const index = after === undefined ? 0 : body.toArray().indexOf(after) + 1;
  body.insert(index, [goal.clone()]);
  if (now !== undefined) body.delete(index - 1, 1);
}

function restoreChildren(parent: Parent, earlier: Parent): void {
  const all: readonly unknown[] = parent.toArray();
  const indexes = new Map(all.map((child, index) => [child, index]));
  const goals = childrenOf(earlier);
  const partners = partnersOf(childrenOf(parent), goals);
  // Children that keep their order stay; Yjs has no move, so the others are inserted again.
  const kept = longestAscent(goals.map((goal) => indexes.get(partners.get(goal)) ?? null));
  // From the end, so that the indexes before it stay right.
  let end = all.length;
  for (const [at, goal] of [...goals.entries()].toReversed()) {
    const partner = kept.has(at) ? partners.get(goal) : undefined;
    if (partner === undefined) {
      parent.insert(end, [goal.clone()]);
      continue;
    }
    const index = indexes.get(partner) ?? 0;
    parent.delete(index + 1, end - index - 1);
    restoreNode(partner, goal);
    end = index;
  }
  parent.delete(0, end);
}

/** The present child for each earlier one: by its id, else, as in tables, by its equal neighbours and its position. */
function partnersOf(children: readonly Child[], goals: readonly Child[]): ReadonlyMap<Child, Child> {
  const partners = new Map<Child, Child>();
  const byId = Map.groupBy(children, idOf);
  for (const goal of goals) {
    const id = idOf(goal);
    const candidates = id === null ? [] : (byId.get(id) ?? []);
    const at = candidates.findIndex((child) => isSameKind(child, goal));
    const [partner] = at < 0 ? [] : candidates.splice(at, 1);
    if (partner !== undefined) partners.set(goal, partner);
  }
  const [left, right] = [children, goals].map((all) => all.filter((child) => idOf(child) === null));
  if (left === undefined || right === undefined) return partners;
  const [now, before] = [left.map(String), right.map(String)];
  let start = 0;
  while (start < now.length && start < before.length && now[start] === before[start]) start += 1;
  let end = 0;
  const shorter = Math.min(now.length, before.length);
  while (end < shorter - start && now.at(-1 - end) === before.at(-1 - end)) end += 1;
  for (const [at, goal] of right.entries()) {
    const isInEnd = at >= right.length - end;
    const child = isInEnd ? left.at(at - right.length) : at < left.length - end ? left[at] : undefined;
    if (child !== undefined && isSameKind(child, goal)) partners.set(goal, child);
  }
  return partners;
}

function restoreNode(now: Child, goal: Child): void {
  if (now instanceof Y.XmlText && goal instanceof Y.XmlText) {
    restoreText(now, goal);
  } else if (now instanceof Y.XmlElement && goal instanceof Y.XmlElement) {
    restoreAttributes(now, goal);
    restoreChildren(now, goal);
  }
}

function restoreAttributes(now: Y.XmlElement, goal: Y.XmlElement): void {
  // An app of another version may have stored any JSON value, which Yjs keeps but its types do not name.
  const untyped: { setAttribute(name: string, value: unknown): void } = now;
  const [present, earlier]: Readonly<Record<string, unknown>>[] = [now.getAttributes(), goal.getAttributes()];
  for (const name of Object.keys(present ?? {})) if (earlier?.[name] === undefined) now.removeAttribute(name);
  for (const [name, value] of Object.entries(earlier ?? {})) {
    if (JSON.stringify(present?.[name]) !== JSON.stringify(value)) untyped.setAttribute(name, value);
  }
}

/** Elements and texts. Loose content, which no app writes, is not restored. */
const childrenOf = (parent: Parent): readonly Child[] =>
  parent.toArray().filter((child): child is Child => child instanceof Y.XmlElement || child instanceof Y.XmlText);

function idOf(child: Child): string | null {
  const id: unknown = child instanceof Y.XmlElement ? child.getAttribute('id') : null;
  return typeof id === 'string' && id !== '' ? id : null;
}

const isSameKind = (one: Child, other: Child): boolean =>
  one instanceof Y.XmlElement && other instanceof Y.XmlElement
    ? one.nodeName === other.nodeName
    : one instanceof Y.XmlText && other instanceof Y.XmlText;
