// The layers of Base UI. `late-base-ui.tsx` loads them after the first screen.
export { Dialog } from '@base-ui/react/dialog';
export { Menu } from '@base-ui/react/menu';
export { Popover } from '@base-ui/react/popover';
export { ShownToasts, toastManager } from './shown-toasts.tsx';
