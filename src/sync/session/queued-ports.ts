// The ports of a session behind its inbound queue: everything that brings remote edits or presence goes through it. Own
// edits and calls go out at once.
import type { Channel, Link, Log, Ports, Tabs } from '../ports.ts';
import type { InboundQueue } from './inbound-queue.ts';

export const queuedPorts = (ports: Ports, queue: InboundQueue): Ports => ({
  ...ports,
  log: queuedLog(ports.log, queue),
  link: queuedLink(ports.link, queue),
  tabs: queuedTabs(ports.tabs, queue),
});

const queuedLog = (log: Log, queue: InboundQueue): Log => ({
  open: (...args) => queue.deliverAnswer(log.open(...args)),
  append: (append, options) => queue.deliverAnswer(log.append(append, options)),
  putBack: (call) => queue.deliverAnswer(log.putBack(call)),
  rowsSince: (...args) => queue.deliverAnswer(log.rowsSince(...args)),
  keepWatching: (...args) => queue.deliverAnswer(log.keepWatching(...args)),
  present: (call) => queue.deliverAnswer(log.present(call)),
  sessionInfo: (document, sessions) => queue.deliverAnswer(log.sessionInfo(document, sessions)),
  announce: (document, session, isWriting) => log.announce(document, session, isWriting),
  startSession: (start) => log.startSession(start),
  publishPending: (document) => log.publishPending(document),
  saveText: (document, seq, title, bodyText, options) => log.saveText(document, seq, title, bodyText, options),
  claimSnapshot: (document) => log.claimSnapshot(document),
  saveSnapshot: (...args) => log.saveSnapshot(...args),
});

const queuedLink = (link: Link, queue: InboundQueue): Link => ({
  join(topic, options, on): Channel {
    let isLeft = false;
    const pass = (run: () => void) =>
      queue.deliver(() => {
        if (!isLeft) run();
      });
    const channel = link.join(topic, options, {
      joined: () => pass(() => on.joined()),
      lost: (reason, detail) => pass(() => on.lost(reason, detail)),
      message: (event, payload, fromDatabase) => pass(() => on.message(event, payload, fromDatabase)),
      peers: (sessions) => pass(() => on.peers(sessions)),
    });
    return {
      send: (event, payload) => channel.send(event, payload),
      leave() {
        isLeft = true;
        channel.leave();
      },
    };
  },
});

const queuedTabs = (tabs: Tabs, queue: InboundQueue): Tabs => ({
  join(document, received) {
    let isLeft = false;
    const joined = tabs.join(document, (bytes) =>
      queue.deliver(() => {
        if (!isLeft) received(bytes);
      }),
    );
    return {
      post: (bytes) => joined.post(bytes),
      leave() {
        isLeft = true;
        joined.leave();
      },
    };
  },
});
