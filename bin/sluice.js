#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that one too old for the product is told so in a clear line.
import { existsSync } from 'node:fs'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(`sluice needs Node.js 24 or newer; this is ${process.version}\n`)
  process.exit(2)
}
// An installed package holds the emitted JavaScript; a checkout runs its TypeScript as it stands.
const built = new URL('../dist/main.js', import.meta.url)
const { main } = await import(
  existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href
)
await main(process.argv.slice(2))
