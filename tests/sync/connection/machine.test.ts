import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Event, type State, connectionOf, mayEditIn, maySend, step } from 'weft-sync/connection/machine.ts';
import { TABLE } from './machine-table.ts';
import { EVENTS, STATES, describeEffect, describeEvent, describeState } from './machine-words.ts';

/** `from` → `event` → "to : effects" of the table. */
function readTable(): Map<string, Map<string, string>> {
  const table = new Map<string, Map<string, string>>();
  let rows = new Map<string, string>();
  for (const line of TABLE.split('\n')) {
    if (line.trim() === '') continue;
    const [event, outcome] = line.split('→').map((part) => part.trim());
    if (outcome === undefined || event === undefined) table.set(line.trim(), (rows = new Map<string, string>()));
    else rows.set(event, outcome);
  }
  return table;
}

function describeStep(state: State, event: Event): string {
  const [next, effects] = step(state, event);
  return effects.length === 0
    ? describeState(next)
    : `${describeState(next)} : ${effects.map(describeEffect).join(' ')}`;
}

describe('[SY18] the table of transitions', () => {
  const table = readTable();
  for (const state of STATES) {
    test(`from ${describeState(state)}`, () => {
      const rows = table.get(describeState(state));
      const is = Object.fromEntries(EVENTS.map((event) => [describeEvent(event), describeStep(state, event)]));
      const should = Object.fromEntries(
        EVENTS.map((event) => [describeEvent(event), rows?.get(describeEvent(event)) ?? describeState(state)]),
      );
      expect(is).toEqual(should);
    });
  }

  test('names no state and no event that does not exist', () => {
    const states = new Set(STATES.map(describeState));
    const events = new Set(EVENTS.map(describeEvent));
    for (const [state, rows] of table) {
      expect(states).toContain(state);
      for (const event of rows.keys()) expect(events).toContain(event);
    }
  });
});

const connections = STATES.filter((state) => state.status !== 'opening');

describe('read-only', () => {
  test('[SY18] the connection continues as usual, only nothing is sent', () => {
    for (const state of connections) {
      const connection = connectionOf(state);
      if (connection === null) continue;
      for (const reason of ['refused', 'oldApp'] as const) {
        for (const event of EVENTS) {
          if (event.type === 'closeAsked') continue;
          const [plain, plainEffects] = step(connection, event);
          const [next, effects] = step({ status: 'readOnly', reason, connection }, event);
          const inner = next.status === 'readOnly' ? next.connection : null;
          expect(inner, `${reason}: ${describeEvent(event)}`).toEqual(connectionOf(plain));
          expect(effects).toEqual(plainEffects.filter((effect) => effect.type !== 'send'));
        }
      }
    }
  });

  test('[SY5] a refused outbox and an old app stay, whatever answers say', () => {
    const start: State = { status: 'live', attempt: 0 };
    fc.assert(
      fc.property(fc.constantFrom('refused', 'oldApp'), fc.array(fc.constantFrom(...EVENTS)), (reason, events) => {
        let state: State = { status: 'readOnly', reason, connection: start };
        for (const event of events) [state] = step(state, event);
        expect(mayEditIn(state) || maySend(state)).toBe(false);
      }),
    );
  });

  test('[SY3] the role returns with an answer, and waiting edits are sent', () => {
    const state: State = { status: 'readOnly', reason: 'role', connection: { status: 'live', attempt: 0 } };
    const [next, effects] = step(state, { type: 'answered', access: 'edit', moved: false });
    expect(next).toEqual({ status: 'live', attempt: 0 });
    expect(effects).toEqual([{ type: 'send' }]);
  });

  test('[SY8] access returns only with an open call', () => {
    const [lost] = step({ status: 'live', attempt: 0 }, { type: 'callFailed', code: 'WF001' });
    const [late] = step(lost, { type: 'answered', access: 'edit', moved: false });
    expect(describeState(late)).toBe('readOnly noAccess, offline noAccess 1 calling');
    // A call from before, when there was another role.
    const [later] = step(lost, { type: 'callFailed', code: 'WF002' });
    expect(describeState(later)).toBe('readOnly noAccess, offline noAccess 1');
    const [back] = step(late, { type: 'opened', access: 'edit', moved: false });
    expect(back.status).toBe('reconnecting');
  });
});

test('[SY18] a closed session stays closed and does nothing', () => {
  for (const reason of ['asked', 'noAccess'] as const) {
    for (const event of EVENTS)
      expect(step({ status: 'closed', reason }, event)).toEqual([{ status: 'closed', reason }, []]);
  }
});

test('[SY18] no sequence of events leads to a dead end', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS.filter((event) => event.type !== 'closeAsked'))), (events) => {
      let state: State = { status: 'opening' };
      for (const event of events) [state] = step(state, event);
      if (state.status === 'closed') return;
      // The user retries and the server answers everything: live, whatever happened before.
      if (state.status === 'opening') [state] = step(state, { type: 'opened', access: 'edit', moved: false });
      [state] = step(state, { type: 'retryAsked' });
      [state] = step(state, { type: 'opened', access: 'edit', moved: false });
      [state] = step(state, { type: 'joined' });
      expect(connectionOf(state)?.status).toBe('live');
    }),
    { numRuns: 500 },
  );
});
