#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that is too old can print the message below.
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(`sluice needs Node.js 24 or newer; this is ${process.version}\n`)
  process.exit(2)
}
// Before other modules are loaded: with the cache, types are not stripped again at every start, which takes 40 MB.
nodeModule.enableCompileCache()

// A checkout runs its TypeScript directly; an installed package contains only the emitted JavaScript.
const source = new URL('../src/main.ts', import.meta.url)
const { main } = await import(
  existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href
)
await main(process.argv.slice(2))
