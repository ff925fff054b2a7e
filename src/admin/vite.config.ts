import { defineConfig } from 'vite';

/** Builds the merchant's pages twice: for the browser, and for the server, which renders the first document. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  base: '/assets/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: isSsrBuild ? '../../build/admin/server' : '../../build/admin/browser',
    emptyOutDir: true,
    assetsDir: '.',
    manifest: !isSsrBuild,
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: isSsrBuild ? 'render.tsx' : 'main.tsx' },
  },
  ssr: { noExternal: true },
}));
