// The order in which sessions replace each other (HI3). What they set aside is only passed on here, so it is empty; that nothing of
// it is lost is tested in tests/sync/recovery.
import { expect, test } from 'vitest';
import type { SetAside } from 'weft-sync/recovery/set-aside.ts';
import { type Restart, type RestartableSession, RestartingSession } from 'weft-sync/session/restarting-session.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { type PageSession, pageSession } from '../../support/editor/page-session.ts';

/** A session that a test moves through its phases. */
function restartable({ onMustStartAnew }: Restart) {
  const base: PageSession = pageSession();
  base.setView({ phase: 'opening' });
  const finish: { setAside: () => void } = { setAside: () => undefined };
  const kept: SetAside = {
    copy: 'copy',
    key: { session: base.sessionId, clientId: base.doc.clientID },
    entry: { n: 1, update: new Uint8Array(), at: 0, buildsOn: [] },
    folded: [],
    isStored: true,
  };
  let isDestroyed = false;
  const session: RestartableSession = Object.assign(base, {
    setAside: () => new Promise<SetAside>((resolve) => (finish.setAside = () => resolve(kept))),
    withDependencies: (update: Uint8Array<ArrayBuffer>) => update,
    putBack: () => undefined,
    destroy: () => {
      isDestroyed = true;
    },
  });
  return {
    session,
    becomesReady: () => base.setView({ phase: 'ready' }),
    mustStartAnew: onMustStartAnew,
    finishSetAside: () => finish.setAside(),
    isDestroyed: () => isDestroyed,
  };
}

test('[HI3] a page that must start anew once more is not shown although it is ready, but the one after it', async () => {
  const clock = new SimClock();
  const opened: ReturnType<typeof restartable>[] = [];
  const page = new RestartingSession({ clock }, (restart) => {
    const one = restartable(restart);
    opened.push(one);
    return one.session;
  });
  const [first] = opened;
  first?.becomesReady();
  first?.mustStartAnew();
  await clock.run(0);
  first?.finishSetAside();
  await clock.run(0);
  const second = opened[1];
  // The server went back again while the second one opened.
  second?.mustStartAnew();
  second?.becomesReady();
  await clock.run(0);
  expect(page.doc).toBe(first?.session.doc);
  expect(page.getView()).toMatchObject({ isRestoring: true, upToDate: false });
  second?.finishSetAside();
  await clock.run(120_000);
  expect([opened.length, second?.isDestroyed()]).toEqual([3, true]);
  const third = opened[2];
  third?.becomesReady();
  expect(page.doc).toBe(third?.session.doc);
  expect(page.getView()).toMatchObject({ isRestoring: false, rebuilds: 1 });
});
