// Measures the size of a document's state, without what only undo keeps (SZ2).
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';

/**
 * The bytes of a document's state (V2) as everyone else has it; in this tab undo also keeps what was deleted. Writes
 * what Yjs would write without that. A copy of the document took five seconds after the redo of 5 MB, because Yjs
 * removes each deleted item from its list separately.
 */
export function stateBytes(doc: Y.Doc): number {
  const encoder = new Y.UpdateEncoderV2();
  for (const [client, structs] of doc.store.clients) {
    const written = structsWithoutUndo(structs);
    encoding.writeVarUint(encoder.restEncoder, written.length);
    encoder.writeClient(client);
    encoding.writeVarUint(encoder.restEncoder, 0);
    for (const struct of written) struct.write(encoder, 0);
  }
  for (const [client, ranges] of Y.createDeleteSetFromStructStore(doc.store).clients) {
    encoder.resetDsCurVal();
    encoding.writeVarUint(encoder.restEncoder, client);
    for (const { clock, len } of ranges) {
      encoder.writeDsClock(clock);
      encoder.writeDsLen(len);
    }
  }
  return encoder.toUint8Array().length;
}

function structsWithoutUndo(structs: readonly (Y.GC | Y.Item)[]): readonly (Y.GC | Y.Item)[] {
  const written: (Y.GC | Y.Item)[] = [];
  for (const struct of structs) {
    const one = struct instanceof Y.Item && struct.deleted ? withoutUndo(struct) : struct;
    const before = written.at(-1);
    const whole = before === undefined || one === struct ? null : joined(before, one);
    if (whole !== null) written.pop();
    written.push(whole ?? one);
  }
  return written;
}

/** The bytes that Yjs would leave of a deleted item without undo; fewer if its parent is deleted too. */
function withoutUndo({ id, length, origin, rightOrigin, parent, parentSub }: Y.Item): Y.GC | Y.Item {
  if (parent instanceof Y.AbstractType && parent._item?.deleted === true) return new Y.GC(id, length);
  return new Y.Item(id, null, origin, null, rightOrigin, parent, parentSub, new Y.ContentDeleted(length));
}

function joined(left: Y.GC | Y.Item, right: Y.GC | Y.Item): Y.GC | Y.Item | null {
  if (left instanceof Y.GC) return right instanceof Y.GC ? new Y.GC(left.id, left.length + right.length) : null;
  if (!(left.content instanceof Y.ContentDeleted) || !(right instanceof Y.Item)) return null;
  const follows =
    right.origin !== null && right.origin.client === left.id.client && right.origin.clock === right.id.clock - 1;
  if (!follows) return null;
  const { id, origin, rightOrigin, parent, parentSub, length } = left;
  const content = new Y.ContentDeleted(length + right.length);
  return new Y.Item(id, null, origin, null, rightOrigin, parent, parentSub, content);
}
