#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that one too old for the product is told so in a clear line.
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(`sluice needs Node.js 24 or newer; this is ${process.version}\n`)
  process.exit(2)
}
// Before anything else is loaded: TypeScript that was stripped once need not be stripped again, which costs 40 MB.
nodeModule.enableCompileCache()

// A checkout runs its TypeScript as it stands; an installed package has the emitted JavaScript alone.
const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(
  existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href
)
await main(process.argv.slice(2))
