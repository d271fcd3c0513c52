// How this device shows watched pages, except on a wall: the size of their text, and whether new words are underlined
// for a moment.
import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { Subscribable } from '../../lib/subscribable.ts';

export const TEXT_SIZES = ['normal', 'large', 'larger'] as const;

const settingsShape = v.object({ size: v.picklist(TEXT_SIZES), marksNewWords: v.boolean() });
type ReadingSettings = Readonly<v.InferOutput<typeof settingsShape>>;

const KEY = 'weft:reading';
const DEFAULT: ReadingSettings = { size: 'normal', marksNewWords: true };

const changes = new Subscribable();
let current: ReadingSettings | null = null;

export const useReadingSettings = (): ReadingSettings =>
  useSyncExternalStore(changes.subscribe, () => (current ??= readStored()));

export function changeReadingSettings(change: Partial<ReadingSettings>): void {
  current = { ...(current ?? readStored()), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage is blocked: the choice lasts for this visit.
  }
  changes.notify();
}

function readStored(): ReadingSettings {
  try {
    const stored = v.safeParse(settingsShape, JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return stored.success ? stored.output : DEFAULT;
  } catch {
    // Storage is blocked, or holds something else.
    return DEFAULT;
  }
}
