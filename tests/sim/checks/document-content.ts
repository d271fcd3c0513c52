// The content of a simulated document as one canonical text, and the shared types that people edit. Comparing the encoded
// state would not do: in one of a hundred documents equal content has different bytes.
import * as Y from 'yjs';

export const textOf = (doc: Y.Doc): Y.Text => doc.getText('t');
export const mapOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap('m');
export const notesOf = (doc: Y.Doc): Y.XmlFragment => doc.getXmlFragment('x');

/** Yjs keeps structs or deletions for later because something they need is missing. */
export const hasPending = (doc: Y.Doc): boolean => doc.store.pendingStructs !== null || doc.store.pendingDs !== null;

export function contentOf(doc: Y.Doc, body: Y.XmlFragment): string {
  const fragments = [body, notesOf(doc)].map((fragment) => fragment.toArray().map(nodeOf));
  return JSON.stringify([sorted(mapOf(doc).toJSON()), runsOf(textOf(doc)), ...fragments]);
}

function nodeOf(node: Y.XmlElement | Y.XmlText | Y.XmlHook): unknown {
  if (node instanceof Y.XmlText) return runsOf(node);
  if (!(node instanceof Y.XmlElement)) return 'hook';
  return [node.nodeName, sorted(node.getAttributes()), node.toArray().map((child) => nodeOf(child))];
}

/** Marks that begin and end at the same place split a run in Yjs's delta without changing the content. */
function runsOf(text: Y.Text): unknown {
  const runs: { text: string; marks: string }[] = [];
  for (const { insert, attributes } of text.toDelta()) {
    const marks = JSON.stringify(sorted(attributes ?? {}));
    const last = runs.at(-1);
    if (typeof insert !== 'string') runs.push({ text: JSON.stringify(insert), marks });
    else if (last?.marks === marks) last.text += insert;
    else runs.push({ text: insert, marks });
  }
  return runs;
}

const sorted = (values: object): readonly (readonly [string, unknown])[] =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
