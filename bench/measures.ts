// All measures, by the name that `npm run bench -- <name>` takes.
import type { Measure } from './measure.ts';
import { backend } from './measures/backend.ts';
import { catchUp } from './measures/catch-up.ts';
import { editor } from './measures/editor.ts';
import { latency } from './measures/latency.ts';
import { open } from './measures/open.ts';
import { receipt, receiptDisk, receiptFar } from './measures/receipt.ts';
import { size } from './measures/size.ts';
import { traffic } from './measures/traffic.ts';
import { watch } from './measures/watch.ts';

export const MEASURES: { readonly [name: string]: Measure } = {
  sync: latency,
  traffic,
  receipt,
  'receipt-far': receiptFar,
  'receipt-disk': receiptDisk,
  open,
  'catch-up': catchUp,
  watch,
  size,
  backend,
  editor,
};
