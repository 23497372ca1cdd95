import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { blank } from './blank.ts'
import { importsOf } from './imports.ts'
import { isTest } from './house.ts'

/** The rooms with files that a page in a browser may load. */
const ROOMS = ['src/api/', 'src/kit/', 'src/contract/']
const PACKAGES = ['zod']

/** What Node has and a browser does not. */
const GLOBALS = /(?<![.\w$])(Buffer|process|require|global|setImmediate|__dirname|__filename)\b(?!\s*[?]?:)/g

/**
 * What keeps `src/api/`, with all that it imports, from running in a browser: a line for each place. Imports of types
 * are not followed: they are gone when the code runs.
 */
export function unfitForBrowsers(root: string): string[] {
  const found: string[] = []
  const seen = new Set<string>()

  function visit(file: string): void {
    if (seen.has(file) || !existsSync(path.join(root, file))) return
    seen.add(file)
    const source = readFileSync(path.join(root, file), 'utf8')
    for (const { specifier, line, kind } of importsOf(source)) {
      if (kind === 'type') continue
      const relative = specifier.startsWith('.')
      const to = relative ? path.posix.join(path.posix.dirname(file), specifier) : specifier
      const allowed = relative ? ROOMS.some((room) => to.startsWith(room)) : PACKAGES.includes(to)
      if (!allowed) found.push(`${file}:${line} → ${to}: src/api/ and what it imports must run in a browser`)
      else if (relative) visit(to)
    }
    const code = blank(source)
    for (const { 0: name, index } of code.matchAll(GLOBALS))
      found.push(`${file}:${code.slice(0, index).split('\n').length} ${name}: a browser does not have it`)
  }

  const files = globSync('src/api/**/*.ts', { cwd: root }).map((file) => file.split(path.sep).join('/'))
  for (const file of files.sort()) if (!isTest(file)) visit(file)
  return found
}
