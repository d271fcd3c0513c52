// Yjs finds the position of each new item by a walk over what others inserted between the same neighbours. Items that a
// program wrote can have neighbours that are far apart: 8,000 beside 8,000 took 7.6 s. Here a list in which the walks of one
// transaction become long gets an index (insertion-index.ts). The position is the one that Yjs finds, because
// copies of a page on other versions must agree; only where that depends on how a copy has merged items it is as if they
// were cut.
import * as Y from 'yjs';
import { assert } from '../../lib/assert.ts';
import { InsertionIndex } from './insertion-index.ts';
import { walk } from './walk.ts';

type Integrate = (this: Y.Item, transaction: Y.Transaction, offset: number) => void;
type Parent = Y.AbstractType<unknown>;

/** Walks shorter than this in all cost less than to count the list. */
const FREE_STEPS = 64;
/** An index costs about as much as this many steps for each item of its list (measured). */
const STEPS_PER_ITEM = 8;

const property: unknown = Reflect.get(Y.Item.prototype, 'integrate');
assert(typeof property === 'function', 'the pinned version of Yjs has this method');
const original = property;

/**
 * Yjs cuts the item with the origin behind it, then the one with the right origin in front of it. If a forged item has both
 * in one item, the second cut takes the origin from the left neighbour. In copies in which that item was cut before, it does
 * not: their texts would differ for good.
 */
function findLeftAgain(item: Y.Item, store: Y.Doc['store']): void {
  const { left, origin } = item;
  // Garbage has no last id that could be an origin.
  if (!(left instanceof Y.Item) || origin === null || left.id.clock + left.length > origin.clock) return;
  item.left = Y.getItem(store, origin);
}

/**
 * Undo looks for the present copies of an item's two neighbours. After several undos these can be one and the same, and copies of the
 * page would put the item at different places, so it is refused everywhere (GB2). It goes behind its left neighbour.
 */
function moveBehindItself(item: Y.Item): void {
  const { left, origin, rightOrigin } = item;
  if (left === null || origin === null || !Y.compareIDs(origin, rightOrigin)) return;
  item.right = left.right;
  item.rightOrigin = left.right?.id ?? null;
}

/** Yjs's own method, with the left neighbour that the origin names. Tests compare ours with it. */
export const integrateByYjs: Integrate = function integrate(transaction, offset) {
  findLeftAgain(this, transaction.doc.store);
  Reflect.apply(original, this, [transaction, offset]);
};

/**
 * The method that replaces Yjs's. It finds the position, then Yjs puts the item there, because it takes no walk if an item's
 * neighbours are next to each other.
 */
export function quickIntegrate(freeSteps: number, stepsPerItem: number): Integrate {
  const states = new WeakMap<Y.Transaction, TransactionLists>();
  /** Documents in which an item is in the list of one parent and names another: there, only Yjs knows. */
  const irregular = new WeakSet<Y.Doc>();

  return function integrate(transaction, offset) {
    let state = states.get(transaction);
    if (transaction.local) moveBehindItself(this);
    findLeftAgain(this, transaction.doc.store);
    const { left, right, parent, parentSub } = this;
    const isFirst = left === null && right?.left === null;
    const mayWalk = left === null ? !isFirst && !isOnly(this) : left.right !== right;
    const isQuick = !mayWalk && !(isFirst && parentSub !== null) && state?.hasIndex !== true;
    if (offset > 0 || isQuick || !isType(parent) || !isRegular(this) || irregular.has(transaction.doc)) {
      Reflect.apply(original, this, [transaction, offset]);
      // Only a part of an item that is there already has an offset. Weft cuts it before (`withoutKnown`).
      if (offset > 0) states.delete(transaction);
      if (!isRegular(this)) irregular.add(transaction.doc);
      return;
    }
    if (state === undefined) states.set(transaction, (state = new TransactionLists(transaction)));
    state.addParts();
    const list = state.listOf(parent, parentSub, freeSteps);
    const head = left === null ? list.headOf(parent, parentSub) : null;
    if (mayWalk) this.left = list.leftOf(this, head);
    this.right = this.left === null ? head : this.left.right;
    putInPlace(this, parent, transaction);
    if (list.index !== null) list.index.add(this);
    else if (list.isSlow(this, stepsPerItem)) state.addIndex(list, this);
  };
}

/** The lists of one transaction in which an item took a walk. */
class TransactionLists {
  hasIndex = false;
  readonly #lists = new Map<Parent, Map<string | null, List>>();
  readonly #transaction: Y.Transaction;
  #parts = 0;

  constructor(transaction: Y.Transaction) {
    this.#transaction = transaction;
  }

  listOf(parent: Parent, parentSub: string | null, freeSteps: number): List {
    let lists = this.#lists.get(parent);
    if (lists === undefined) this.#lists.set(parent, (lists = new Map<string | null, List>()));
    let list = lists.get(parentSub);
    if (list === undefined) lists.set(parentSub, (list = new List(this.#transaction.doc.store, freeSteps)));
    return list;
  }

  addIndex(list: List, item: Y.Item): void {
    if (!this.hasIndex) this.#parts = this.#transaction._mergeStructs.length;
    this.hasIndex = true;
    list.index = new InsertionIndex(this.#transaction.doc.store, firstOf(item));
  }

  /** Tells the indexes which items Yjs split: it remembers their right parts in order to merge them in the end. */
  addParts(): void {
    if (!this.hasIndex) return;
    const { _mergeStructs: parts } = this.#transaction;
    for (; this.#parts < parts.length; this.#parts++) {
      const part = parts[this.#parts];
      if (part instanceof Y.Item && isType(part.parent)) {
        this.#lists.get(part.parent)?.get(part.parentSub)?.index?.addPart(part);
      }
    }
  }
}

/** A list of Yjs: the children of a type, or the values that a key of it had. */
class List {
  index: InsertionIndex | null = null;
  readonly #store: Y.Doc['store'];
  #steps = 0;
  #checkAt: number;

  constructor(store: Y.Doc['store'], freeSteps: number) {
    this.#store = store;
    this.#checkAt = freeSteps;
  }

  headOf(parent: Parent, parentSub: string | null): Y.Item | null {
    if (this.index !== null) return this.index.head;
    if (parentSub === null) return parent._start;
    let item = parent._map.get(parentSub) ?? null;
    for (; item !== null && item.left !== null; item = item.left) this.#steps += 1;
    return item;
  }

  leftOf(item: Y.Item, head: Y.Item | null): Y.Item | null {
    if (this.index !== null) return this.index.leftOf(item);
    const { left, steps } = walk(this.#store, item, head);
    this.#steps += steps;
    return left;
  }

  /** True once the walks cost as much as an index of this list, in which the item is. */
  isSlow(item: Y.Item, stepsPerItem: number): boolean {
    if (this.#steps < this.#checkAt) return false;
    let length = 0;
    for (let one: Y.Item | null = firstOf(item); one !== null; one = one.right) length += 1;
    this.#checkAt = stepsPerItem * length;
    return this.#steps >= this.#checkAt;
  }
}

/** Makes Yjs put the item between its neighbours, which are next to each other. */
function putInPlace(item: Y.Item, parent: Parent, transaction: Y.Transaction): void {
  const { left, right, parentSub } = item;
  const newest = parentSub === null ? undefined : parent._map.get(parentSub);
  if (parentSub === null || newest === undefined || left !== null || right === null) {
    Reflect.apply(original, item, [transaction, 0]);
    return;
  }
  // In front of the first value of a key: Yjs would walk there from the newest one.
  parent._map.set(parentSub, right);
  try {
    Reflect.apply(original, item, [transaction, 0]);
  } finally {
    parent._map.set(parentSub, newest);
  }
}

/** Otherwise the parent is deleted and Yjs integrates garbage. */
const isType = (parent: unknown): parent is Parent => parent instanceof Y.AbstractType;

const isRegular = ({ left, parent, parentSub }: Y.Item): boolean =>
  left === null || (left.parent === parent && left.parentSub === parentSub) || !isType(parent);

/** Yjs puts the first item of a list there without a walk. */
const isOnly = ({ right, parent, parentSub }: Y.Item): boolean =>
  right === null && isType(parent) && (parentSub === null ? parent._start === null : !parent._map.has(parentSub));

function firstOf(item: Y.Item): Y.Item {
  let first = item;
  while (first.left !== null) first = first.left;
  return first;
}

Y.Item.prototype.integrate = quickIntegrate(FREE_STEPS, STEPS_PER_ITEM);
