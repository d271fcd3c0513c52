// All benchmarks by name. `npm run bench -- sync` also runs every benchmark whose name begins with `sync-`.
import type { Benchmark } from './benchmark.ts';
import { backend } from './benchmarks/backend.ts';
import { catchUp } from './benchmarks/catch-up.ts';
import { comments } from './benchmarks/comments.ts';
import { device } from './benchmarks/device.ts';
import { editor } from './benchmarks/editor.ts';
import { growth } from './benchmarks/growth.ts';
import { history } from './benchmarks/history.ts';
import { idle } from './benchmarks/idle.ts';
import { latency } from './benchmarks/latency.ts';
import { liveBudget } from './benchmarks/live-budget.ts';
import { liveUpdates0, liveUpdates150, liveUpdates50 } from './benchmarks/live-updates.ts';
import { load } from './benchmarks/load.ts';
import { memory } from './benchmarks/memory.ts';
import { messages } from './benchmarks/messages.ts';
import { open } from './benchmarks/open.ts';
import { pasting } from './benchmarks/paste.ts';
import { receipt, receiptDisk, receiptFar } from './benchmarks/receipt.ts';
import { scale } from './benchmarks/scale.ts';
import { search } from './benchmarks/search.ts';
import { size } from './benchmarks/size.ts';
import { traffic } from './benchmarks/traffic.ts';
import { watch } from './benchmarks/watch.ts';
import { workspace } from './benchmarks/workspace.ts';

export const BENCHMARKS: { readonly [name: string]: Benchmark } = {
  sync: latency,
  'sync-live-updates-0': liveUpdates0,
  'sync-live-updates-50': liveUpdates50,
  'sync-live-updates-150': liveUpdates150,
  traffic,
  'live-budget': liveBudget,
  receipt,
  'receipt-far': receiptFar,
  'receipt-disk': receiptDisk,
  open,
  'catch-up': catchUp,
  watch,
  load,
  messages,
  scale,
  search,
  workspace,
  size,
  backend,
  device,
  editor,
  comments,
  paste: pasting,
  history,
  growth,
  memory,
  idle,
};
