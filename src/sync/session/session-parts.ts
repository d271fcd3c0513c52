// The parts of a session. A part may call those above it in this list; everything else it reports through the context.
import type { Awareness } from 'y-protocols/awareness';
import { ArrivalCount } from '../live/arrival-count.ts';
import { Carets } from '../live/carets.ts';
import { CrowdFetcher } from '../live/crowd-fetcher.ts';
import { LiveInbox } from '../live/live-inbox.ts';
import { LiveTopic } from '../live/live-topic.ts';
import { LiveUpdateReceiver } from '../live/live-update-receiver.ts';
import { LiveUpdateSender } from '../live/live-update-sender.ts';
import { SessionAnnouncer } from '../live/session-announcer.ts';
import { SessionNames } from '../live/session-names.ts';
import { Stage } from '../live/stage.ts';
import { TabSync } from '../live/tab-sync.ts';
import { TopicModeSwitch } from '../live/topic-mode.ts';
import { WritersBeside } from '../live/writers-beside.ts';
import { LogFetcher } from '../log/log-fetcher.ts';
import { LogSender } from '../log/log-sender.ts';
import { PendingPublisher } from '../log/pending-publisher.ts';
import { TextCopy } from '../log/text-copy.ts';
import { OutboxRecovery } from '../recovery/outbox-recovery.ts';
import { Rebuilder } from '../recovery/rebuilder.ts';
import type { SessionContext } from '../session-context.ts';
import { SnapshotScheduler } from '../snapshot/snapshot-scheduler.ts';
import { stateBytes } from '../updates/state-bytes.ts';
import { MachineRunner } from './machine-runner.ts';
import { PageSize } from './page-size.ts';
import type { SessionOptions } from './session-options.ts';

export type SessionParts = ReturnType<typeof createParts>;

export function createParts(context: SessionContext, awareness: Awareness, options: SessionOptions) {
  const machine = new MachineRunner(context);
  const topic = new LiveTopic(context);
  const names = new SessionNames(context);
  const carets = new Carets(context, awareness, names);
  const writersBeside = new WritersBeside(context.ports.clock, awareness);
  const announcer = new SessionAnnouncer(context);
  const liveSender = new LiveUpdateSender(context, topic, carets, announcer);
  const stage = new Stage(context, liveSender);
  const fetcher = new LogFetcher(context, stage);
  const crowdFetcher = new CrowdFetcher(context, liveSender, fetcher);
  const sender = new LogSender(context, fetcher, liveSender);
  const publisher = new PendingPublisher(context);
  const textCopy = new TextCopy(context, options.readText ?? null);
  const topicMode = new TopicModeSwitch(context, topic, fetcher);
  const tabs = new TabSync(context);
  const liveReceiver = new LiveUpdateReceiver(context, fetcher, sender, tabs);
  const arrivals = new ArrivalCount(context);
  const inbox = new LiveInbox(context, liveReceiver, liveSender, carets, fetcher);
  const rebuilder = new Rebuilder(context, fetcher);
  const recovery = new OutboxRecovery(context, fetcher, sender);
  const snapshots = new SnapshotScheduler(context);
  const { emit, ports, state } = context;
  const size = new PageSize(() => stateBytes(state.doc), emit, ports.clock, options.pageLimits);
  return {
    machine,
    topic,
    names,
    carets,
    writersBeside,
    announcer,
    liveSender,
    stage,
    fetcher,
    crowdFetcher,
    sender,
    publisher,
    textCopy,
    topicMode,
    tabs,
    liveReceiver,
    arrivals,
    inbox,
    rebuilder,
    recovery,
    snapshots,
    size,
    /** They stop as soon as the page is closed; the last edits go out without them. */
    stopAtOnce: [
      stage,
      publisher,
      recovery,
      snapshots,
      size,
      crowdFetcher,
      inbox,
      topicMode,
      names,
      carets,
      writersBeside,
      announcer,
      liveSender,
      liveReceiver,
      tabs,
      rebuilder,
    ],
  };
}
