// A page's file as a document of its own, which no one edits.
import * as Y from 'yjs';
import { bodyOf, titleOf } from '../names.ts';
import { type PageFile, elementsOfFile } from './page-json.ts';

export function docOfFile(file: PageFile): Y.Doc {
  const doc = new Y.Doc();
  doc.transact(() => {
    titleOf(doc).insert(0, file.title);
    bodyOf(doc).insert(0, Array.from(elementsOfFile(file)));
  });
  return doc;
}
