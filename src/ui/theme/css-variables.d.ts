// Lets components pass values to the style sheets as CSS custom properties in `style`.
import 'react';

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
