// Custom properties in `style`: components hand numbers to the style sheets by name.
import 'react';

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
