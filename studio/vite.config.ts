import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'

/** The order of the layers begins each style sheet: it must not depend on which one is loaded first. */
const layerOrder: Plugin = {
  name: 'layer-order',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css'))
        file.source = `@layer base,libraries,parts;${file.source}`
  },
}

/** `npm run build:studio` builds dist/studio; `npm run dev:studio` serves the sources before a server on port 3000. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [layerOrder],
  build: {
    outDir: '../dist/studio',
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // A data: address would need a policy that allows it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // The studio, and the chat page of a flow for its visitors.
      input: ['index.html', 'chatbot.html'].map((page) => path.join(import.meta.dirname, page)),
      // Packages mark their files for React servers with "use client"; this has no meaning in a browser.
      onLog(level, log, handle) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/openapi.json': 'http://127.0.0.1:3000' } },
})
