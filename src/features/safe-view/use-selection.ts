// The blocks that are chosen in the safe view. They are known by their keys, so they stay the same blocks while others write.
import { useState } from 'react';
import type { PlainBody } from 'weft-document/body/plain-body.ts';

const NONE: ReadonlySet<string> = new Set();

export type Selection = {
  readonly keys: ReadonlySet<string>;
  /** Adds or removes one block; with `extending`, also all blocks between it and the last one that was toggled. */
  readonly toggle: (key: string, extending: boolean) => void;
  /** Chooses the blocks from one number to another, both included and counted from 1. */
  readonly chooseRange: (from: number, to: number) => void;
  readonly clear: () => void;
};

export function useSelection(body: PlainBody): Selection {
  const [chosen, setChosen] = useState(NONE);
  const [last, setLast] = useState<string | null>(null);
  return {
    keys: chosen,
    toggle(key, extending) {
      const next = new Set(chosen);
      const isAdded = !chosen.has(key);
      for (const one of extending && last !== null ? keysBetween(body, last, key) : [key]) {
        if (isAdded) next.add(one);
        else next.delete(one);
      }
      setChosen(next);
      setLast(key);
    },
    chooseRange(from, to) {
      setChosen(new Set(keysOf(body, from - 1, to)));
      setLast(null);
    },
    clear() {
      setChosen(NONE);
      setLast(null);
    },
  };
}

function keysBetween(body: PlainBody, one: string, other: string): readonly string[] {
  const ends = [body.indexOf(one), body.indexOf(other)].sort((a, b) => a - b);
  const [from = -1, to = -1] = ends;
  return from < 0 ? [other] : keysOf(body, from, to + 1);
}

function keysOf(body: PlainBody, from: number, to: number): readonly string[] {
  const keys: string[] = [];
  for (let index = Math.max(0, from); index < Math.min(to, body.count); index++) {
    const key = body.keyAt(index);
    if (key !== null) keys.push(key);
  }
  return keys;
}
