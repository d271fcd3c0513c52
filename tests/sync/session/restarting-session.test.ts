// The order in which sessions replace each other (HI3). What they set aside is only passed on here, so it is empty; that nothing of
// it is lost is tested in tests/sync/recovery.
import { describe, expect, test } from 'vitest';
import type { Stance } from 'weft-sync/protocol/presenting.ts';
import type { SetAside } from 'weft-sync/recovery/set-aside.ts';
import { type Restart, type RestartableSession, RestartingSession } from 'weft-sync/session/restarting-session.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { type PageSession, pageSession, testUser } from '../../support/editor/page-session.ts';

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
  const stances: Stance[] = [];
  const session: RestartableSession = Object.assign(base, {
    setAside: () => new Promise<SetAside>((resolve) => (finish.setAside = () => resolve(kept))),
    withDependencies: (update: Uint8Array<ArrayBuffer>) => update,
    putBack: () => undefined,
    setStance: (stance: Stance) => void stances.push(stance),
    destroy: () => {
      isDestroyed = true;
    },
  });
  return {
    session,
    stances,
    becomesReady: (view: Parameters<typeof base.setView>[0] = {}) => base.setView({ phase: 'ready', ...view }),
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

describe('[WC3] a stance and the session that takes over', () => {
  const presentedBy = (user: number) => ({ presenter: { user: testUser(user), place: null, isOwn: false } });

  /** A page on which the first person presents, and which has begun to start anew. */
  async function startingAnew(before: Stance) {
    const clock = new SimClock();
    const opened: ReturnType<typeof restartable>[] = [];
    const page = new RestartingSession({ clock }, (restart) => {
      const one = restartable(restart);
      opened.push(one);
      return one.session;
    });
    opened[0]?.becomesReady(presentedBy(1));
    page.setStance(before);
    opened[0]?.mustStartAnew();
    await clock.run(0);
    const takeOver = async (view: Parameters<PageSession['setView']>[0]) => {
      opened[0]?.finishSetAside();
      await clock.run(0);
      opened[1]?.becomesReady(view);
      return opened[1]?.stances;
    };
    return { page, takeOver };
  }

  test('the stance from before is repeated: the presenter learns it from the new session', async () => {
    const { takeOver } = await startingAnew('follows');
    expect(await takeOver(presentedBy(1))).toEqual(['follows']);
  });

  test('a stance that was set during the switch counts', async () => {
    const { page, takeOver } = await startingAnew('follows');
    page.setStance('declined');
    expect(await takeOver(presentedBy(1))).toEqual(['declined']);
  });

  test('it is not repeated to another presenter, or when the presentation is over', async () => {
    expect(await (await startingAnew('follows')).takeOver(presentedBy(2))).toEqual([]);
    expect(await (await startingAnew('follows')).takeOver({})).toEqual([]);
  });
});
