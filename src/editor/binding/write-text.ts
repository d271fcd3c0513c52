// Writes the text of a block or cell into the document: the characters and marks that differ, at their own places. What others type
// beside them at that moment stays where it is.
import type { Mark, Node } from '@tiptap/pm/model';
import { equalityDeep } from 'lib0/function';
import { deltaOf, markName } from 'weft-document/body/parse-body.ts';
import { textChange } from 'weft-document/title.ts';
import * as Y from 'yjs';

type Attributes = Readonly<Record<string, unknown>>;
type Run = { readonly text: string; readonly attributes: Attributes };

/** Marks as Yjs stores them: the mark's name and its attributes. */
export const formatOfMarks = (marks: readonly Mark[]): Record<string, unknown> =>
  Object.fromEntries(marks.map(({ type, attrs }) => [type.name, attrs]));

export function newText(node: Node): Y.XmlText {
  const text = new Y.XmlText();
  if (node.childCount > 0)
    text.applyDelta(runsOfNode(node).map(({ text: insert, attributes }) => ({ insert, attributes })));
  return text;
}

/** True if the element has the node's characters and marks. */
export function hasTextOf(element: Y.XmlElement, node: Node): boolean {
  const [runs, wanted] = [runsOf(textsOf(element)), runsOfNode(node)];
  return textOfRuns(runs) === textOfRuns(wanted) && differences(runs, wanted).length === 0;
}

export function writeText(element: Y.XmlElement, node: Node): void {
  const texts = textsOf(element);
  // A block has several texts if two people began it at once in an old app: each is changed where it differs.
  if (texts.length === 0) return element.insert(0, [newText(node)]);
  const wanted = runsOfNode(node);
  let runs = runsOf(texts);
  const { index, remove, insert } = textChange(textOfRuns(runs), textOfRuns(wanted));
  // Most keys are here already (`write-steps.ts`): then the text is read once.
  if (remove > 0 || insert !== '') {
    removeCharacters(texts, index, remove);
    insertRuns(texts, index, between(wanted, index, index + insert.length));
    runs = runsOf(texts);
  }
  for (const { at, length, attributes } of differences(runs, wanted)) format(texts, at, length, attributes);
}

const textsOf = (element: Y.XmlElement): readonly Y.XmlText[] =>
  element.toArray().filter((child) => child instanceof Y.XmlText);

/** An object in a text, which no app writes, counts as one character and is removed with the next edit. */
const runsOf = (texts: readonly Y.XmlText[]): readonly Run[] =>
  texts.flatMap(deltaOf).map(({ insert, attributes = {} }) => ({
    text: typeof insert === 'string' ? insert : '\uFFFC',
    attributes: { ...attributes },
  }));

const runsOfNode = (node: Node): readonly Run[] =>
  node.children.map(({ text = '', marks }) => ({ text, attributes: formatOfMarks(marks) }));

const textOfRuns = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('');

/** From last to first: earlier indices stay valid. */
function removeCharacters(texts: readonly Y.XmlText[], index: number, length: number): void {
  let end = texts.reduce((sum, text) => sum + text.length, 0);
  for (const text of texts.toReversed()) {
    const start = end - text.length;
    const [from, to] = [Math.max(start, index), Math.min(end, index + length)];
    if (from < to) text.delete(from - start, to - from);
    end = start;
  }
}

function insertRuns(texts: readonly Y.XmlText[], index: number, runs: readonly Run[]): void {
  let start = 0;
  for (const text of texts) {
    if (index <= start + text.length) {
      let at = index - start;
      for (const run of runs) {
        text.insert(at, run.text, { ...run.attributes });
        at += run.text.length;
      }
      return;
    }
    start += text.length;
  }
}

function format(texts: readonly Y.XmlText[], at: number, length: number, attributes: Attributes): void {
  let start = 0;
  for (const text of texts) {
    const end = start + text.length;
    const [from, to] = [Math.max(start, at), Math.min(end, at + length)];
    if (from < to) text.format(from - start, to - from, { ...attributes });
    start = end;
  }
}

function between(runs: readonly Run[], from: number, to: number): readonly Run[] {
  let start = 0;
  return runs.flatMap(({ text, attributes }) => {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return part === '' ? [] : [{ text: part, attributes }];
  });
}

type Difference = { readonly at: number; readonly length: number; readonly attributes: Attributes };

/** The ranges whose marks differ, and how to format them. Both have the same characters. */
function differences(runs: readonly Run[], wanted: readonly Run[]): readonly Difference[] {
  const found: Difference[] = [];
  let at = 0;
  let [one, other] = [0, 0];
  let [used, usedOther] = [0, 0];
  for (let [is, should] = [runs[0], wanted[0]]; is !== undefined && should !== undefined;) {
    const length = Math.min(is.text.length - used, should.text.length - usedOther);
    const attributes = formatting(is.attributes, should.attributes);
    if (length > 0 && Object.keys(attributes).length > 0) found.push({ at, length, attributes });
    at += length;
    used += length;
    usedOther += length;
    if (used === is.text.length) [is, used] = [runs[++one], 0];
    if (usedOther === should.text.length) [should, usedOther] = [wanted[++other], 0];
  }
  return found;
}

/** The changes that turn one set of marks into another. Null removes a mark. */
function formatting(is: Attributes, should: Attributes): Attributes {
  const known = new Map(Object.entries(is).map(([name, value]) => [markName(name), { name, value }]));
  const changes: Record<string, unknown> = {};
  for (const { name } of known.values()) if (!Object.hasOwn(should, markName(name))) changes[name] = null;
  for (const [name, value] of Object.entries(should)) {
    const before = known.get(name);
    if (before === undefined || !equalityDeep(withoutNulls(before.value), withoutNulls(value)))
      changes[before?.name ?? name] = value;
  }
  return changes;
}

/** An attribute that is null is not stored by every app, and a mark without attributes may be stored as `true`. */
const withoutNulls = (value: unknown): object =>
  Object.fromEntries(Object.entries(Object(value)).filter(([, one]) => one !== null && one !== undefined));
