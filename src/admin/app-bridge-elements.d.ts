import type { ComponentChildren } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** App Bridge's element for the app's entries in the admin's navigation. App Bridge's own types cover only React. */
      's-app-nav': { children?: ComponentChildren };
    }
  }
}
