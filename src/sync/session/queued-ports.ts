// The ports of a session behind a gate: everything that brings what others wrote, or who they are, goes through it.
// Own edits and questions go out at once.
import type { Channel, Link, Log, Ports, Tabs } from '../ports.ts';
import type { Gate } from './inbound-queue.ts';

export const gatedPorts = (ports: Ports, gate: Gate): Ports => ({
  ...ports,
  log: gatedLog(ports.log, gate),
  link: gatedLink(ports.link, gate),
  tabs: gatedTabs(ports.tabs, gate),
});

const gatedLog = (log: Log, gate: Gate): Log => ({
  open: (document, since) => gate.passAnswer(log.open(document, since)),
  append: (append, options) => gate.passAnswer(log.append(append, options)),
  rowsSince: (document, seq, limit) => gate.passAnswer(log.rowsSince(document, seq, limit)),
  keepWatching: (document, seq) => gate.passAnswer(log.keepWatching(document, seq)),
  sessionInfo: (document, sessions) => gate.passAnswer(log.sessionInfo(document, sessions)),
  startSession: (start) => log.startSession(start),
  publishTail: (document) => log.publishTail(document),
  saveText: (document, seq, title, bodyText, options) => log.saveText(document, seq, title, bodyText, options),
  claimSnapshot: (document) => log.claimSnapshot(document),
  saveSnapshot: (document, snapshot) => log.saveSnapshot(document, snapshot),
});

const gatedLink = (link: Link, gate: Gate): Link => ({
  join(topic, options, on): Channel {
    let isLeft = false;
    const pass = (run: () => void) =>
      gate.pass(() => {
        if (!isLeft) run();
      });
    const channel = link.join(topic, options, {
      joined: () => pass(() => on.joined()),
      lost: (reason, detail) => pass(() => on.lost(reason, detail)),
      message: (event, payload, fromDatabase) => pass(() => on.message(event, payload, fromDatabase)),
      roster: (peers) => pass(() => on.roster(peers)),
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

const gatedTabs = (tabs: Tabs, gate: Gate): Tabs => ({
  join(document, heard) {
    let isLeft = false;
    const seat = tabs.join(document, (bytes) =>
      gate.pass(() => {
        if (!isLeft) heard(bytes);
      }),
    );
    return {
      post: (bytes) => seat.post(bytes),
      leave() {
        isLeft = true;
        seat.leave();
      },
    };
  },
});
