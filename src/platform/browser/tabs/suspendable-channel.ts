// A BroadcastChannel that is closed while its page rests: a frozen page would collect messages without bound and work
// through all of them when it wakes; one in the back/forward cache is thrown out by the first message.

/** Does nothing without BroadcastChannel, or where storage is blocked: some browsers then refuse the constructor. */
export function suspendableChannel(
  name: string,
  on: {
    readonly onMessage: (data: unknown) => void;
    /** The page is left, perhaps for good: the last moment to post. */
    readonly onLeave?: () => void;
    /** Hears again, and missed what was said meanwhile. */
    readonly onResume?: () => void;
  },
): { readonly post: (data: unknown) => void; readonly leave: () => void } {
  let channel: BroadcastChannel | null = null;
  let isLeft = false;

  const listen = ({ data }: MessageEvent<unknown>) => {
    if (channel !== null) on.onMessage(data);
  };
  const open = () => {
    if (isLeft || channel !== null) return;
    channel = openChannel(name);
    channel?.addEventListener('message', listen);
  };
  const close = () => {
    channel?.removeEventListener('message', listen);
    channel?.close();
    channel = null;
  };
  const resume = () => {
    if (channel !== null) return;
    open();
    if (channel !== null) on.onResume?.();
  };
  const hide = () => {
    on.onLeave?.();
    close();
  };
  const show = (event: PageTransitionEvent) => {
    if (event.persisted) resume();
  };
  document.addEventListener('freeze', close);
  document.addEventListener('resume', resume);
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  open();

  return {
    post: (data) => channel?.postMessage(data),
    leave() {
      isLeft = true;
      close();
      document.removeEventListener('freeze', close);
      document.removeEventListener('resume', resume);
      removeEventListener('pagehide', hide);
      removeEventListener('pageshow', show);
    },
  };
}

function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
