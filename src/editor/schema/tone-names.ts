// What people read for the tones of a callout. In a file of its own: reading views load no editor.
import type { Tone } from 'weft-document/blocks/block.ts';

export const TONE_NAMES: Readonly<Record<Tone, string>> = { note: 'Note', tip: 'Tip', care: 'Warning', stop: 'Danger' };
