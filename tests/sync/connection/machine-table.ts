// Every transition that changes something: state, then event → state : effects. A pair that is not listed changes
// nothing.
export const TABLE = `
opening
  opened edit           → reconnecting 0 joining : joinTopic startHeadCheck send
  opened edit moved     → reconnecting 0 joining : joinTopic startHeadCheck send
  opened read           → readOnly role, reconnecting 0 joining : joinTopic startHeadCheck
  opened newer          → readOnly oldApp, reconnecting 0 joining : joinTopic startHeadCheck
  openFailed WF001      → closed noAccess
  openFailed WF003      → offline signedOut 1 : startRetry(backoff 1)
  openFailed WF011      → offline network 1 : startRetry(backoff 1)
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

live 2
  opened edit moved     → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move) startHeadCheck
  opened read           → readOnly role, live 2
  opened newer          → readOnly oldApp, live 2
  openFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  openFailed WF003      → offline signedOut 3 linked : startRetry(backoff 3) stopHeadCheck
  openFailed WF011      → offline network 3 linked : startRetry(backoff 3) stopHeadCheck
  linkLost denied       → reconnecting 3 waiting (ask first) : startRetry(backoff 3) startHeadCheck
  linkLost closed       → reconnecting 3 waiting : startRetry(backoff 3) startHeadCheck
  linkLost disconnected → reconnecting 3 waiting : startRetry(backoff 3) startHeadCheck
  answered edit moved   → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move) startHeadCheck
  answered read         → readOnly role, live 2
  callFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  callFailed WF002      → readOnly role, live 2
  callFailed WF003      → offline signedOut 3 linked : startRetry(backoff 3) stopHeadCheck
  callFailed WF004      → readOnly oldApp, live 2
  callFailed WF008      → offline busy 3 linked : startRetry(backoff 3) stopHeadCheck
  callFailed WF011      → offline network 3 linked : startRetry(backoff 3) stopHeadCheck
  callFailed WF018      → offline busy 3 linked : startRetry(backoff 3) stopHeadCheck
  callFailed WF019      → offline busy 3 linked : startRetry(backoff 3) stopHeadCheck
  callFailed unknown    → offline network 3 linked : startRetry(backoff 3) stopHeadCheck
  outboxRefused         → readOnly refused, live 2
  moved                 → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move) startHeadCheck
  headCheckDue          → live 0 : checkHead startHeadCheck
  cameOnline            → live 2 : checkHead send
  wentOffline           → offline network 3 linked : startRetry(backoff 3) stopHeadCheck
  cameBack              → live 2 : checkHead send
  wentHidden            → live 2 : sendWhileHidden
  retryAsked            → live 2 : checkHead send
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

reconnecting 2 waiting
  opened edit           → reconnecting 2 joining : stopRetry joinTopic send
  opened edit moved     → reconnecting 2 joining : stopRetry joinTopic send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry joinTopic
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry joinTopic
  openFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  openFailed WF003      → offline signedOut 3 : startRetry(backoff 3) stopHeadCheck
  openFailed WF011      → offline network 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  joined                → live 2 : stopRetry checkHead startHeadCheck
  linkLost denied       → reconnecting 3 waiting (ask first) : startRetry(backoff 3)
  linkLost closed       → reconnecting 3 waiting : startRetry(backoff 3)
  linkLost disconnected → reconnecting 3 waiting : startRetry(backoff 3)
  answered edit moved   → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move)
  answered read         → readOnly role, reconnecting 2 waiting
  callFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  callFailed WF002      → readOnly role, reconnecting 2 waiting
  callFailed WF003      → offline signedOut 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF004      → readOnly oldApp, reconnecting 2 waiting
  callFailed WF008      → offline busy 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  callFailed WF011      → offline network 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  callFailed WF018      → offline busy 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  callFailed WF019      → offline busy 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  callFailed unknown    → offline network 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  outboxRefused         → readOnly refused, reconnecting 2 waiting
  moved                 → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move)
  retryDue              → reconnecting 2 joining : stopRetry joinTopic checkHead
  headCheckDue          → reconnecting 2 waiting : checkHead startHeadCheck
  cameOnline            → reconnecting 2 joining : stopRetry joinTopic checkHead send
  wentOffline           → offline network 3 joining : startRetry(backoff 3) stopHeadCheck joinTopic
  cameBack              → reconnecting 2 joining : stopRetry joinTopic checkHead send
  wentHidden            → reconnecting 2 waiting : sendWhileHidden
  retryAsked            → reconnecting 2 joining : stopRetry joinTopic checkHead send
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

reconnecting 2 waiting (ask first)
  opened edit           → reconnecting 2 joining : stopRetry joinTopic send
  opened edit moved     → reconnecting 2 joining : stopRetry joinTopic send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry joinTopic
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry joinTopic
  openFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  openFailed WF003      → offline signedOut 3 : startRetry(backoff 3) stopHeadCheck
  openFailed WF011      → offline network 3 : startRetry(backoff 3) stopHeadCheck
  joined                → live 2 : stopRetry checkHead startHeadCheck
  linkLost denied       → reconnecting 3 waiting (ask first) : startRetry(backoff 3)
  linkLost closed       → reconnecting 3 waiting : startRetry(backoff 3)
  linkLost disconnected → reconnecting 3 waiting : startRetry(backoff 3)
  answered read         → readOnly role, reconnecting 2 waiting (ask first)
  callFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  callFailed WF002      → readOnly role, reconnecting 2 waiting (ask first)
  callFailed WF003      → offline signedOut 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF004      → readOnly oldApp, reconnecting 2 waiting (ask first)
  callFailed WF008      → offline busy 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF011      → offline network 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF018      → offline busy 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF019      → offline busy 3 : startRetry(backoff 3) stopHeadCheck
  callFailed unknown    → offline network 3 : startRetry(backoff 3) stopHeadCheck
  outboxRefused         → readOnly refused, reconnecting 2 waiting (ask first)
  retryDue              → reconnecting 2 opening (ask first) : stopRetry callOpen
  headCheckDue          → reconnecting 2 waiting (ask first) : checkHead startHeadCheck
  cameOnline            → reconnecting 2 opening (ask first) : stopRetry callOpen send
  wentOffline           → offline network 3 : startRetry(backoff 3) stopHeadCheck
  cameBack              → reconnecting 2 opening (ask first) : stopRetry callOpen send
  wentHidden            → reconnecting 2 waiting (ask first) : sendWhileHidden
  retryAsked            → reconnecting 2 opening (ask first) : stopRetry callOpen send
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

reconnecting 2 opening (ask first)
  opened edit           → reconnecting 2 joining : stopRetry joinTopic send
  opened edit moved     → reconnecting 2 joining : stopRetry joinTopic send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry joinTopic
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry joinTopic
  openFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  openFailed WF003      → offline signedOut 3 : startRetry(backoff 3) stopHeadCheck
  openFailed WF011      → offline network 3 : startRetry(backoff 3) stopHeadCheck
  joined                → live 2 : stopRetry checkHead startHeadCheck
  linkLost denied       → reconnecting 3 waiting (ask first) : startRetry(backoff 3)
  linkLost closed       → reconnecting 3 waiting : startRetry(backoff 3)
  linkLost disconnected → reconnecting 3 waiting : startRetry(backoff 3)
  answered read         → readOnly role, reconnecting 2 opening (ask first)
  callFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  callFailed WF002      → readOnly role, reconnecting 2 opening (ask first)
  callFailed WF003      → offline signedOut 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF004      → readOnly oldApp, reconnecting 2 opening (ask first)
  callFailed WF008      → offline busy 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF011      → offline network 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF018      → offline busy 3 : startRetry(backoff 3) stopHeadCheck
  callFailed WF019      → offline busy 3 : startRetry(backoff 3) stopHeadCheck
  callFailed unknown    → offline network 3 : startRetry(backoff 3) stopHeadCheck
  outboxRefused         → readOnly refused, reconnecting 2 opening (ask first)
  headCheckDue          → reconnecting 2 opening (ask first) : checkHead startHeadCheck
  cameOnline            → reconnecting 2 opening (ask first) : send
  wentOffline           → offline network 3 : startRetry(backoff 3) stopHeadCheck
  cameBack              → reconnecting 2 opening (ask first) : send
  wentHidden            → reconnecting 2 opening (ask first) : sendWhileHidden
  retryAsked            → reconnecting 2 opening (ask first) : send
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

reconnecting 2 joining
  opened edit           → reconnecting 2 joining : stopRetry joinTopic send
  opened edit moved     → reconnecting 2 joining : stopRetry joinTopic send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry joinTopic
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry joinTopic
  openFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  openFailed WF003      → offline signedOut 3 joining : startRetry(backoff 3) stopHeadCheck
  openFailed WF011      → offline network 3 joining : startRetry(backoff 3) stopHeadCheck
  joined                → live 2 : stopRetry checkHead startHeadCheck
  linkLost denied       → reconnecting 3 waiting (ask first) : startRetry(backoff 3)
  linkLost closed       → reconnecting 3 waiting : startRetry(backoff 3)
  linkLost disconnected → reconnecting 3 waiting : startRetry(backoff 3)
  answered edit moved   → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move)
  answered read         → readOnly role, reconnecting 2 joining
  callFailed WF001      → readOnly noAccess, offline noAccess 3 : stopRetry stopHeadCheck leaveTopic
  callFailed WF002      → readOnly role, reconnecting 2 joining
  callFailed WF003      → offline signedOut 3 joining : startRetry(backoff 3) stopHeadCheck
  callFailed WF004      → readOnly oldApp, reconnecting 2 joining
  callFailed WF008      → offline busy 3 joining : startRetry(backoff 3) stopHeadCheck
  callFailed WF011      → offline network 3 joining : startRetry(backoff 3) stopHeadCheck
  callFailed WF018      → offline busy 3 joining : startRetry(backoff 3) stopHeadCheck
  callFailed WF019      → offline busy 3 joining : startRetry(backoff 3) stopHeadCheck
  callFailed unknown    → offline network 3 joining : startRetry(backoff 3) stopHeadCheck
  outboxRefused         → readOnly refused, reconnecting 2 joining
  moved                 → reconnecting 2 waiting (ask first) : leaveTopic startRetry(move)
  headCheckDue          → reconnecting 2 joining : checkHead startHeadCheck
  cameOnline            → reconnecting 2 joining : send
  wentOffline           → offline network 3 joining : startRetry(backoff 3) stopHeadCheck
  cameBack              → reconnecting 2 joining : send
  wentHidden            → reconnecting 2 joining : sendWhileHidden
  retryAsked            → reconnecting 2 joining : send
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

offline network 2
  opened edit           → reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck send
  opened edit moved     → reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck
  openFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  openFailed WF003      → offline signedOut 3 : startRetry(backoff 3)
  openFailed WF011      → offline network 3 : startRetry(backoff 3)
  joined                → offline network 2 linked calling : stopRetry callOpen
  answered edit         → offline network 2 calling : stopRetry callOpen
  answered edit moved   → offline network 2 calling : stopRetry callOpen
  answered read         → readOnly role, offline network 2 calling : stopRetry callOpen
  callFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  callFailed WF002      → readOnly role, offline network 2
  callFailed WF003      → offline signedOut 2
  callFailed WF004      → readOnly oldApp, offline network 2
  outboxRefused         → readOnly refused, offline network 2
  moved                 → offline network 2 : leaveTopic
  retryDue              → offline network 2 calling : stopRetry callOpen
  cameOnline            → offline network 2 calling : stopRetry callOpen
  cameBack              → offline network 2 calling : stopRetry callOpen
  retryAsked            → offline network 2 calling : stopRetry callOpen
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

offline network 2 joining
  opened edit           → reconnecting 2 joining : stopRetry startHeadCheck send
  opened edit moved     → reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry startHeadCheck
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry startHeadCheck
  openFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  openFailed WF003      → offline signedOut 3 joining : startRetry(backoff 3)
  openFailed WF011      → offline network 3 joining : startRetry(backoff 3)
  joined                → offline network 2 linked calling : stopRetry callOpen
  linkLost denied       → offline network 2
  linkLost closed       → offline network 2
  linkLost disconnected → offline network 2 joining : joinTopic
  answered edit         → offline network 2 joining calling : stopRetry callOpen
  answered edit moved   → offline network 2 joining calling : stopRetry callOpen
  answered read         → readOnly role, offline network 2 joining calling : stopRetry callOpen
  callFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  callFailed WF002      → readOnly role, offline network 2 joining
  callFailed WF003      → offline signedOut 2 joining
  callFailed WF004      → readOnly oldApp, offline network 2 joining
  outboxRefused         → readOnly refused, offline network 2 joining
  moved                 → offline network 2 : leaveTopic
  retryDue              → offline network 2 joining calling : stopRetry callOpen
  cameOnline            → offline network 2 joining calling : stopRetry callOpen
  cameBack              → offline network 2 joining calling : stopRetry callOpen
  retryAsked            → offline network 2 joining calling : stopRetry callOpen
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

offline network 2 linked calling
  opened edit           → live 2 : stopRetry startHeadCheck send
  opened edit moved     → reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck send
  opened read           → readOnly role, live 2 : stopRetry startHeadCheck
  opened newer          → readOnly oldApp, live 2 : stopRetry startHeadCheck
  openFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  openFailed WF003      → offline signedOut 3 linked : startRetry(backoff 3)
  openFailed WF011      → offline network 3 linked : startRetry(backoff 3)
  joined                → offline network 2 linked calling : stopRetry callOpen
  linkLost denied       → offline network 2 calling
  linkLost closed       → offline network 2 calling
  linkLost disconnected → offline network 2 joining calling : joinTopic
  answered read         → readOnly role, offline network 2 linked calling
  callFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  callFailed WF002      → readOnly role, offline network 2 linked calling
  callFailed WF003      → offline signedOut 2 linked calling
  callFailed WF004      → readOnly oldApp, offline network 2 linked calling
  outboxRefused         → readOnly refused, offline network 2 linked calling
  moved                 → offline network 2 calling : leaveTopic
  cameOnline            → offline network 2 linked calling : stopRetry callOpen
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic

offline noAccess 2
  opened edit           → reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck send
  opened edit moved     → reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck send
  opened read           → readOnly role, reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck
  opened newer          → readOnly oldApp, reconnecting 2 joining : stopRetry leaveTopic joinTopic startHeadCheck
  openFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  openFailed WF003      → offline signedOut 3 : startRetry(backoff 3)
  openFailed WF011      → offline network 3 : startRetry(backoff 3)
  joined                → offline noAccess 2 linked calling : stopRetry callOpen
  answered edit         → offline noAccess 2 calling : stopRetry callOpen
  answered edit moved   → offline noAccess 2 calling : stopRetry callOpen
  answered read         → readOnly role, offline noAccess 2 calling : stopRetry callOpen
  callFailed WF001      → readOnly noAccess, offline noAccess 2 : stopRetry leaveTopic
  callFailed WF002      → readOnly role, offline noAccess 2
  callFailed WF003      → offline signedOut 2
  callFailed WF004      → readOnly oldApp, offline noAccess 2
  outboxRefused         → readOnly refused, offline noAccess 2
  moved                 → offline noAccess 2 : leaveTopic
  retryDue              → offline noAccess 2 calling : stopRetry callOpen
  cameOnline            → offline noAccess 2 calling : stopRetry callOpen
  cameBack              → offline noAccess 2 calling : stopRetry callOpen
  retryAsked            → offline noAccess 2 calling : stopRetry callOpen
  closeAsked            → closed asked : stopRetry stopHeadCheck leaveTopic
`;
