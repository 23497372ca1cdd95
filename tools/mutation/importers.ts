import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { importsOf } from '../rooms/imports.ts'

/** The files below a folder that a test file loads and that import a file, by however many others; the test file and the file too. */
export function importersOf(directory: string, test: string, file: string): Set<string> {
  const [start, target] = [path.join(directory, test), path.join(directory, file)]
  const importers = new Map<string, string[]>([[start, []]])
  const waiting = [start]
  for (let from = waiting.pop(); from; from = waiting.pop())
    for (const { specifier, kind } of importsOf(readFileSync(from, 'utf8'))) {
      if (kind === 'type' || !specifier.startsWith('.') || !specifier.endsWith('.ts')) continue
      const to = path.resolve(path.dirname(from), specifier)
      if (!existsSync(to)) continue
      if (!importers.has(to)) waiting.push(to)
      importers.set(to, [...(importers.get(to) ?? []), from])
    }
  const found = new Set([start, target])
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer)
  return found
}
