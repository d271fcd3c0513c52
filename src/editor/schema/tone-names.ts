// The names of a callout's tones on screen. In a file of its own, so that reading views do not load the editor.
import type { Tone } from 'weft-document/blocks/block.ts';

export const TONE_NAMES: Readonly<Record<Tone, string>> = { note: 'Note', tip: 'Tip', care: 'Warning', stop: 'Danger' };
