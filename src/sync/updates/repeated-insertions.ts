// Somebody inserts again and again at one place, each item in front of the one before, while another person inserts many
// items there. Yjs looks for the place of each of them among all of the other's: 8,000 beside 8,000 took 7.6 s. But such an
// item always ends up directly in front of the one before it, so here it goes there at once. Import it for its effect.
import * as Y from 'yjs';
import { assert } from '../../lib/assert.ts';

const integrate: unknown = Reflect.get(Y.Item.prototype, 'integrate');
assert(typeof integrate === 'function', 'the pinned version of Yjs has this method');

/** The item that a transaction integrated last into each parent. */
const lastItems = new WeakMap<Y.Transaction, Map<Y.Item['parent'], Y.Item>>();

Y.Item.prototype.integrate = function integrateRepeated(transaction, offset) {
  const lastIn = lastItems.get(transaction) ?? new Map<Y.Item['parent'], Y.Item>();
  lastItems.set(transaction, lastIn);
  const last = lastIn.get(this.parent);
  if (last !== undefined && offset === 0 && goesBefore(this, last)) this.left = last.left;
  Reflect.apply(integrate, this, [transaction, offset]);
  if (offset === 0) lastIn.set(this.parent, this);
  else lastIn.delete(this.parent);
};

/**
 * True if Yjs would put `item` directly before `last`, and into their parent it integrated nothing since. `item` lies between the origin of
 * both and `last`. In that range, Yjs compares each item with `item` as it did with `last`: by the origin and by the
 * client. It also compares the right origin, but nothing that is older than `last` has `last` as its right origin.
 */
const goesBefore = (item: Y.Item, last: Y.Item): boolean =>
  item.right === last && item.id.client === last.id.client && Y.compareIDs(item.origin, last.origin);
