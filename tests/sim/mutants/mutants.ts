// Mutants: deliberately broken builds, at least one per rule of the specification. A simulation that does not notice them
// proves nothing about the rule. Each replaces one text in one file; `npm run sim -- --mutants` runs them all. Adapters are
// not part of the simulation, so their mutants name the test that must notice them.

export type Mutant = {
  /** The rule, and what the mutant does: `D1-repeats-are-appended`. */
  readonly id: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Why an engineer might have written it. */
  readonly why: string;
  /** For a mutant in an adapter: the file whose tests of the rule must fail. */
  readonly test?: string;
};

export const MUTANTS: readonly Mutant[] = [
  {
    id: 'I1-acknowledges-too-much',
    file: 'src/sync/state/outbox.ts',
    find: 'Math.max(this.#ackedN, Math.min(lastN, this.#lastN))',
    replace: 'this.#lastN',
    why: 'edits made during the append count as acknowledged with it',
  },
  {
    id: 'I2-deletes-too-much',
    file: 'src/sync/state/document-state.ts',
    find: 'this.#store.acknowledge(outbox.session, lastN, this.log.meta, rows);',
    replace: 'this.#store.acknowledge(outbox.session, outbox.lastN, this.log.meta, rows);',
    why: 'the acknowledgement empties the outbox in the store',
  },
  {
    id: 'I3-shows-incomplete-updates',
    file: 'src/sync/state/replica.ts',
    find: 'if (missingClocks(decoded, this.clockShown).size > 0) return false;',
    replace: '',
    why: 'Yjs keeps incomplete updates pending until the rest comes',
  },
  {
    id: 'I4-stores-no-dependencies',
    file: 'src/sync/state/pending-state.ts',
    find: 'this.#own.add(piece, this.#clock.now(), this.dependencies.toStore(piece))',
    replace: 'this.#own.add(piece, this.#clock.now(), [])',
    why: 'a live update is not certain, so it does not belong in the store',
  },
  {
    id: 'I5-saved-while-sending',
    file: 'src/sync/session/receipt.ts',
    find: 'if (facts.unsent > 0) {',
    replace: 'if (facts.unsent > 0 && facts.lastTryFailed) {',
    why: 'the receipt flickers less',
  },
  {
    id: 'I7-any-order',
    file: 'src/sync/state/replica.ts',
    find: 'for (let row = this.#ahead.get(this.#seq + 1); row !== undefined; row = this.#ahead.get(row.seq + 1))',
    replace: 'for (const row of [...this.#ahead.values()].sort((a, b) => a.seq - b.seq))',
    why: 'rows are applied as they arrive, the missing one will follow',
  },
  {
    id: 'I8-checks-access-only',
    file: 'tests/memory/memory-server.ts',
    find: "return mayEdit(page.value.roles.get(user) ?? null) ? page : err(weftError('WF002'));",
    replace: 'return page;',
    why: 'the server trusts the app to be read-only for a viewer',
  },
  {
    id: 'I9-leaves-the-topic-open',
    file: 'src/sync/session/session-parts.ts',
    find: '      inbox,\n      topicMode,\n',
    replace: '      inbox,\n',
    why: 'the channel closes with the page',
  },
  {
    id: 'I10-registers-when-opened',
    file: 'src/sync/session/session.ts',
    find: '    if (becameReady) this.#parts.sender.sendNow();\n',
    replace: `    if (becameReady) {
      const { documentId: document, sessionId: session, ports, schemaVersion } = this.#context;
      const clientId = this.doc.clientID;
      void ports.log.startSession({ document, session, clientId, schemaVersion });
      this.#parts.sender.sendNow();
    }
`,
    why: 'the first append is one call faster',
  },
  {
    id: 'I11-forgets-deletions',
    file: 'src/sync/updates/missing-clocks.ts',
    find: 'for (const { clock, len } of ranges) need(client, clock + len);',
    replace: '',
    why: 'a deletion needs nothing',
  },
  {
    id: 'ID1-cleans-up-formats',
    file: 'src/sync/updates/new-doc.ts',
    find: 'if (!transaction.local) transaction._needFormattingCleanup = false;',
    replace: '',
    why: 'Yjs does it by default',
  },
  {
    id: 'D1-repeats-are-appended',
    file: 'tests/memory/memory-document.ts',
    find: 'if (!isRelay && nTo <= lastN) return ok({ seq: this.#seqOf(author.session, nTo), lastN, row: null });',
    replace: '',
    why: 'Yjs is idempotent, so is the log',
  },
  {
    id: 'D2-omits-edits',
    file: 'src/sync/state/outbox.ts',
    find: '      updates.push(entry.update);\n',
    replace: '      if (updates.length < 20) updates.push(entry.update);\n',
    why: 'a limit in the wrong place',
  },
  {
    id: 'D3-no-dependencies',
    file: 'src/sync/log/log-sender.ts',
    find: '      dependencies,\n      knownSeq',
    replace: '      dependencies: [],\n      knownSeq',
    why: 'their authors append them anyway',
  },
  {
    id: 'D3-direct-dependencies-only',
    file: 'src/sync/state/dependency-closure.ts',
    find: 'missingClocks([...updates, ...picked.map(({ decoded }) => decoded)], have)',
    replace: 'missingClocks(updates, have)',
    why: 'the dependencies of dependencies are forgotten',
  },
  {
    id: 'D4-fetches-no-rows',
    file: 'src/sync/log/log-sender.ts',
    find: "if (!(await this.#fetcher.catchUp())) return err(weftError('WF011', 'rows to build on could not be fetched'));",
    replace: "return err(weftError('WF005', 'builds on edits that are not here'));",
    why: 'a row that is missing now will never come',
  },
  {
    id: 'D5-stores-one-edit-late',
    file: 'src/sync/state/document-store.ts',
    find: '    this.#add(key, entry);\n',
    replace: '    this.#unstored = [...this.#unstored, { key, entry }];\n',
    why: 'half as many transactions',
  },
  {
    id: 'D6-recovers-nothing',
    file: 'src/sync/state/recovered-outboxes.ts',
    find: 'this.#read.find((outbox) => outbox.session === session && isUnsent(outbox))',
    replace: 'this.#read.find((outbox) => outbox.session === session && !isUnsent(outbox))',
    why: 'each tab sends its own outbox',
  },
  {
    id: 'D7-relays-nothing',
    file: 'src/sync/live/live-update-receiver.ts',
    find: 'if (mayAppend(this.#context)) void this.#relay(ended);',
    replace: 'if (mayAppend(this.#context)) this.schedule();',
    why: 'the author will come back',
  },
  {
    id: 'D7-readers-drop-nothing',
    file: 'src/sync/live/live-update-receiver.ts',
    find: '      else void this.#giveUp(ended);\n',
    replace: '',
    why: 'readers leave everything to the writers',
  },
  {
    id: 'D8-applies-incomplete-rows',
    file: 'src/sync/state/replica.ts',
    find: 'if (missingClocks(decoded, this.clockInLog).size > 0) return false;',
    replace: '',
    why: 'the log is the truth',
  },
  {
    id: 'D8-accepts-any-client-id',
    file: 'src/sync/state/replica.ts',
    find: '      if (!registered) return false;\n',
    replace: '',
    why: 'the server has checked it',
  },
  {
    id: 'L1-before-registration',
    file: 'src/sync/live/live-update-sender.ts',
    find: "    if (!own.isRegistered) return 'not registered';\n",
    replace: '',
    why: 'others see the first letter one call sooner',
  },
  {
    id: 'L1-live-updates-to-nobody',
    file: 'src/sync/live/live-update-sender.ts',
    find: 'return !this.#isStopped && this.#context.presence.isOnLive && this.#pace.hasOthers;',
    replace: 'return !this.#isStopped && this.#context.presence.isOnLive;',
    why: 'one condition fewer',
  },
  {
    id: 'L1-newest-edit-only',
    file: 'src/sync/live/live-update-sender.ts',
    find: 'const { nFrom, nTo, update } = batch ??',
    replace: 'const { nFrom, nTo, update } = (batch && { ...batch, nFrom: batch.nTo + 1, nTo: batch.nTo + 1 }) ??',
    why: 'numbers that are off by one',
  },
  {
    id: 'L2-never-tries-again',
    file: 'src/sync/state/held-updates.ts',
    find: 'if (lacking.size > 0 || !this.#show(unit)) continue;',
    replace: 'if (unit.length > 0) continue;',
    why: 'the next live update repeats it',
  },
  {
    id: 'L2-fetches-no-rows',
    file: 'src/sync/live/live-update-receiver.ts',
    find: '...waiting.filter((held) => this.#waitingFetchDue(held) <= now),',
    replace: '',
    why: 'the row will come by itself',
  },
  {
    id: 'L3-forgets-shown-edits',
    file: 'src/sync/state/held-updates.ts',
    find: '    if (this.#show([dated])) this.#addShown(dated);\n',
    replace: '    if (this.#show([dated])) return true;\n',
    why: 'shown edits need not be held',
  },
  {
    id: 'L4-reports-no-head',
    file: 'src/sync/live/live-update-sender.ts',
    find: '    this.#headLater(HEAD_AFTER_MS);\n',
    replace: '',
    why: 'the row itself is published',
  },
  {
    id: 'L4-ignores-heads',
    file: 'src/sync/live/live-inbox.ts',
    find: 'if (seq <= state.log.seq) return;',
    replace: 'if (seq > 0) return;',
    why: 'another tab cannot be trusted',
  },
  {
    id: 'L4-never-checks',
    file: 'src/sync/session/machine-runner.ts',
    find: 'this.#headCheck = this.#context.ports.clock.after(HEAD_CHECK_MS,',
    replace: 'this.#headCheck = this.#context.ports.clock.after(100 * HEAD_CHECK_MS,',
    why: 'a head check every half minute is too much traffic',
  },
  {
    id: 'L5-fetches-nothing-after-the-join',
    file: 'src/sync/connection/machine.ts',
    find: "return [{ status: 'live', attempt }, [stopRetry, check, startHeadCheck]];",
    replace: "return [{ status: 'live', attempt }, [stopRetry, startHeadCheck]];",
    why: 'the open call has just answered',
  },
  {
    id: 'L5-ignores-newcomers',
    file: 'src/sync/live/live-update-sender.ts',
    find: '    this.#sentN = 0;\n    const appendedLately',
    replace: '    const appendedLately',
    why: 'a newcomer will see the rows',
  },
  {
    id: 'L6-drops-nothing',
    file: 'src/sync/live/live-update-receiver.ts',
    find: 'const withoutRight = infos.filter(({ role }) => !mayEdit(role)).map(({ session }) => session);',
    replace: 'const withoutRight = infos.filter(({ clientId }) => clientId < 0).map(({ session }) => session);',
    why: 'the author had the right when typing them',
  },
  {
    id: 'L6-stays-on-the-old-topic',
    file: 'src/sync/connection/rights.ts',
    find: '(isNewerEpoch(epoch, joined) || this.#mustRejoin);',
    replace: 'this.#mustRejoin;',
    why: 'the message "moved" is enough',
  },
  {
    id: 'L6-keeps-the-channel',
    file: 'src/sync/connection/rights.ts',
    find: 'if (this.#role !== null && !mayEdit(this.#role) && mayEdit(role)) this.#mustRejoin = true;',
    replace: '',
    why: 'a joined topic stays joined',
  },
  {
    id: 'L6-drops-edits-that-others-build-on',
    file: 'src/sync/recovery/rebuild.ts',
    find: 'const kept = held.shown.filter((update) => base.includes(update) || !isDropped(update));',
    replace: 'const kept = held.shown.filter((update) => !isDropped(update));\n    base.length = 0;',
    why: 'every live update of the author has to go',
  },
  {
    id: 'CA5-names-nobody',
    file: 'src/sync/connection/presence.ts',
    find: 'this.#own.user : this.#userOf(session);',
    replace: 'this.#own.user : null;',
    why: 'whoever writes is named by their caret',
  },
  {
    id: 'CA5-never-announces',
    file: 'src/sync/live/session-announcer.ts',
    find: 'if (isOld && others.some((session) => !before.has(session))) void this.#announce(false);',
    replace: 'if (isOld && before.size > others.length) void this.#announce(false);',
    why: 'a session is registered when it writes',
  },
  {
    id: 'SY16-never-copies-later',
    file: 'src/sync/session/opening.ts',
    find: 'answer.textSeq < answer.head && ',
    replace: 'answer.textSeq > answer.head && ',
    why: 'the writer makes the copy',
  },
  {
    id: 'SY22-waits-for-the-timer',
    file: 'src/sync/connection/machine.ts',
    find: "return [{ ...calling, topic: 'joined' }, [stopRetry, open]];",
    replace: "return [{ ...now, topic: 'joined' }, []];",
    why: 'the timer will call soon',
  },
  {
    id: 'SY22-waits-for-the-call',
    file: 'src/sync/connection/machine.ts',
    find: "return [{ ...calling, topic: 'joined' }, [stopRetry, open]];",
    replace: "return [{ ...calling, topic: 'joined' }, now.calling ? [] : [stopRetry, open]];",
    why: 'the call in flight will be answered now',
  },
  {
    id: 'SY22-counts-old-calls',
    file: 'src/sync/session/opening.ts',
    find: 'call <= this.#settledCall || (!answer.ok && call < this.#lastCall)',
    replace: 'false',
    why: 'a failed call is a failed call',
  },
  {
    id: 'SY22-leaves-the-topic',
    file: 'src/sync/connection/machine.ts',
    find: 'return [offline(reasonOf(code), attempt, topic), [backoff(attempt), stopHeadCheck]];',
    replace: "return [offline(reasonOf(code), attempt, 'left'), [backoff(attempt), stopHeadCheck, leave]];",
    why: 'without calls the topic is of no use',
  },
  {
    id: 'LR2-never-slows-down',
    file: 'src/sync/live/live-pace.ts',
    find: '    this.#share = Math.max(MIN_SHARE, this.share / 2);\n',
    replace: '',
    why: 'the budget is below what the server allows',
  },
  {
    id: 'LR2-never-recovers',
    file: 'src/sync/live/live-pace.ts',
    find: 'return Math.min(1, this.#share * 2 ** Math.min(minutes, 10));',
    replace: 'return Math.min(1, this.#share * 2 ** Math.min(minutes, 0));',
    why: 'whoever was too fast once will be again',
  },
  {
    id: 'LR2-expects-no-row',
    file: 'src/sync/live/live-update-sender.ts',
    find: '    if (this.#isRowAsked && seq !== null) this.#expectRow(seq);\n',
    replace: '',
    why: 'the database has confirmed the row',
  },
  {
    id: 'LR3-watchers-are-free',
    file: 'src/sync/live/message-cost.ts',
    find: 'Math.max(WRITERS_MIN_SHARE * pageBudget, pageBudget - costOfWatching(watching));',
    replace: 'Math.max(WRITERS_MIN_SHARE * pageBudget, pageBudget - 0 * watching);',
    why: 'watchers have the rest of the project’s messages',
    test: 'tests/sync/live/live-update-sender.test.ts',
  },
  {
    id: 'WA8-stops-for-good',
    file: 'src/sync/session/watch-session.ts',
    find: '    this.#isFull = false;\n    void this.#open();',
    replace: '    void this.#open();',
    why: 'the next answer goes on anyway',
  },
  {
    id: 'WA8-takes-on',
    file: 'src/sync/state/replica.ts',
    find: 'if (afterRow !== null && !some.every((row) => afterRow(row, skipped.includes(row)))) break;',
    replace: 'if (afterRow !== null) for (const row of some) afterRow(row, skipped.includes(row));',
    why: 'the rows of one answer belong together',
  },
  {
    id: 'LK7-joins-without-a-connection',
    file: 'src/platform/supabase/realtime/link.ts',
    find: 'this.#stopWaiting = joins.whenReady(topic, () => this.#join());',
    replace: 'this.#stopWaiting = () => undefined;\n    queueMicrotask(() => this.#join());',
    why: 'realtime-js keeps joins until there is a connection',
    test: 'tests/attack/return-after-outage.test.ts',
  },
  {
    id: 'LK8-tracks-once',
    file: 'src/platform/supabase/realtime/link.ts',
    find: "if (answer === 'ok' || channel !== this.#channel) return;",
    replace: "if (answer !== '') return;",
    why: 'a joined channel is tracked',
    test: 'tests/contract/link/presence-refused.test.ts',
  },
];

/** The rule that a mutant breaks. */
export const ruleOf = ({ id }: Mutant): string => id.replace(/-.*$/, '');

/** Throws unless the text is there exactly once: when the code changes, the mutant has to follow. */
export function mutated({ id, find, replace }: Mutant, source: string): string {
  const times = source.split(find).length - 1;
  if (times !== 1) throw new Error(`mutant ${id} no longer applies: its text is there ${times} times`);
  return source.replace(find, () => replace);
}
