// Gives the browser's tab the icon of the page, as long as this is mounted.
import { useEffect, useRef } from 'react';
import { PageIcon } from '../../ui/page-icon/page-icon.tsx';

/** Readable on light and dark tabs; a picture in a tab has no theme. */
const COLOR = '#2f8a95';

export function TabIcon({ icon }: { readonly icon: string }) {
  const drawn = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const host = drawn.current;
    if (link === null || host === null) return;
    const usual = link.href;
    const show = () => {
      const svg = host.querySelector('svg')?.outerHTML.replaceAll('currentColor', COLOR) ?? null;
      if (svg !== null) link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    };
    show();
    // The icons may load after this, and the page may get another one.
    const redrawn = new MutationObserver(show);
    redrawn.observe(host, { childList: true });
    return () => {
      redrawn.disconnect();
      link.href = usual;
    };
  }, []);
  return (
    <span ref={drawn} hidden>
      <PageIcon icon={icon} />
    </span>
  );
}
