// A BroadcastChannel that closes while its page is frozen or in the back/forward cache. A frozen page would queue
// messages without limit and process all of them when it wakes up. The first message would evict a page from the
// back/forward cache.

/** Does nothing without BroadcastChannel, or where blocked storage makes the constructor throw. */
export function suspendableChannel(
  name: string,
  on: {
    readonly onMessage: (data: unknown) => void;
    /** The page is being left, perhaps for good. Last chance to post. */
    readonly onLeave?: () => void;
    /** The channel is open again. It missed the messages in between. */
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

/** Null without BroadcastChannel, or if storage is blocked. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
