// Counts what the page gets to draw between two frames. Unlike the time that this takes, it is the same on every machine.
import { drawingCost } from '../../../src/ui/blocks/drawing-cost.ts';
import { twoFrames } from './longest-task.ts';

/** `textMs` is the app's own estimate for the texts, not a time. */
export type DrawnInFrame = { readonly elements: number; readonly textMs: number };

/** The most that was added to the page from one frame to the next while `run` ran and in the two frames after it. */
export async function largestFrame(run: () => Promise<void>): Promise<DrawnInFrame> {
  let most: DrawnInFrame = { elements: 0, textMs: 0 };
  let added = new Set<Node>();
  const observer = new MutationObserver((records) => note(records));
  const note = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') added.add(target);
      for (const node of addedNodes) for (const one of withDescendants(node)) added.add(one);
    }
  };
  const endFrame = () => {
    note(observer.takeRecords());
    const { elements, textMs } = drawnIn(added);
    most = { elements: Math.max(most.elements, elements), textMs: Math.max(most.textMs, textMs) };
    added = new Set();
  };
  let frame = requestAnimationFrame(function next() {
    endFrame();
    frame = requestAnimationFrame(next);
  });
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  await run();
  await twoFrames();
  cancelAnimationFrame(frame);
  endFrame();
  observer.disconnect();
  return most;
}

function* withDescendants(node: Node): Iterable<Node> {
  const walker = document.createTreeWalker(node);
  for (let one: Node | null = node; one !== null; one = walker.nextNode()) yield one;
}

/** What is still in the page: what was replaced within a frame is never laid out. */
function drawnIn(nodes: ReadonlySet<Node>): DrawnInFrame {
  const shown = [...nodes].filter((node) => node.isConnected);
  const texts = shown.filter((node) => node instanceof Text);
  const textMs = texts.reduce((sum, { data }) => sum + drawingCost([{ text: data, marks: 0, formulas: 0 }]), 0);
  return { elements: shown.filter((node) => node instanceof Element).length, textMs };
}
