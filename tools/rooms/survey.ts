import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { behaviour } from './behaviour.ts'
import { environmentReads, importsOf, type Import } from './imports.ts'
import { outgoingCalls } from './outgoing.ts'
import { ownShapes } from './own-shapes.ts'

/** An import from a file of src/ to a file of this repository; both as paths from its root, with slashes. */
export type Arrow = { from: string; to: string; line: number; kind: Import['kind'] }

/** The files of src/, what they import of each other, and the lines that the rules look at. */
export type Survey = {
  files: { path: string; lines: number }[]
  arrows: Arrow[]
  environment: { file: string; line: number }[]
  outgoing: { file: string; line: number }[]
  ownShapes: { file: string; line: number }[]
  behaviour: { file: string; line: number }[]
}

/** Reads src/ below a folder. Packages are left out: only relative imports are arrows. */
export function survey(root: string): Survey {
  const found: Survey = { files: [], arrows: [], environment: [], outgoing: [], ownShapes: [], behaviour: [] }
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.split(path.sep).join('/'))
  for (const file of files.sort()) {
    const source = readFileSync(path.join(root, file), 'utf8')
    found.files.push({ path: file, lines: source.split('\n').length - 1 })
    for (const { specifier, line, kind } of importsOf(source))
      if (specifier.startsWith('.'))
        found.arrows.push({
          from: file,
          to: path.posix.join(path.posix.dirname(file), specifier),
          line,
          kind,
        })
    for (const line of environmentReads(source)) found.environment.push({ file, line })
    for (const line of outgoingCalls(file, source)) found.outgoing.push({ file, line })
    for (const line of behaviour(file, source)) found.behaviour.push({ file, line })
    for (const line of ownShapes(file, source)) found.ownShapes.push({ file, line })
  }
  return found
}
