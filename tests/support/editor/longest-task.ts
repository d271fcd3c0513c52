// Measures for how long the page does nothing else: no key, no frame.

/**
 * The longest time in ms for which the page was busy while `run` ran and in the two frames after it. Everything counts:
 * scripts, style, layout, paint.
 */
export async function longestTask(run: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isMeasuring = true;
  let before = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
    if (isMeasuring) channel.port2.postMessage(null);
  };
  const channel = new MessageChannel();
  channel.port1.addEventListener('message', tick);
  channel.port1.start();
  tick();
  await run();
  await twoFrames();
  isMeasuring = false;
  tick();
  channel.port1.close();
  return longest;
}

export const twoFrames = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
  });
