// All measures, by name. `npm run bench -- sync` also runs every measure whose name begins with `sync-`.
import type { Measure } from './measure.ts';
import { backend } from './measures/backend.ts';
import { catchUp } from './measures/catch-up.ts';
import { editor } from './measures/editor.ts';
import { latency } from './measures/latency.ts';
import { liveUpdates0, liveUpdates150, liveUpdates50 } from './measures/live-updates.ts';
import { open } from './measures/open.ts';
import { receipt, receiptDisk, receiptFar } from './measures/receipt.ts';
import { size } from './measures/size.ts';
import { traffic } from './measures/traffic.ts';
import { watch } from './measures/watch.ts';

export const MEASURES: { readonly [name: string]: Measure } = {
  sync: latency,
  'sync-live-updates-0': liveUpdates0,
  'sync-live-updates-50': liveUpdates50,
  'sync-live-updates-150': liveUpdates150,
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
