import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { blank } from './blank.ts'
import { isTest } from './house.ts'

/** Files with names of their own: the export of a command is named like the command. */
const APART = ['src/cli/commands/']

/** The databases: one implements under the same name what the other does, so each is looked at alone. */
const DIALECTS = ['src/db/sqlite/', 'src/db/postgres/']

/** Names that two files may export, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  startPlatform: 'main.ts passes the arguments of the program to the one of platform/',
}

const DECLARATION =
  /^export\s+(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|const|let|class|type|interface)\s+([A-Za-z_$][\w$]*)/gm

/** The names that a file exports by a declaration. */
export const exportedNames = (source: string): string[] =>
  [...blank(source).matchAll(DECLARATION)].map(([, name]) => name!)

/** The names that several files of `src/` export: a line for each. A reader should find a name in one place. */
export function repeatedNames(root: string): string[] {
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.split(path.sep).join('/'))
  const filesOf = new Map<string, string[]>()
  for (const file of files.sort()) {
    if (isTest(file) || APART.some((folder) => file.startsWith(folder))) continue
    for (const name of exportedNames(readFileSync(path.join(root, file), 'utf8')))
      filesOf.set(name, [...(filesOf.get(name) ?? []), file])
  }
  return [...filesOf]
    .filter(([name, places]) => isRepeated([...new Set(places)]) && !Object.hasOwn(ALLOWED, name))
    .map(
      ([name, places]) => `${name} is exported by ${[...new Set(places)].join(', ')}: give each its own name`,
    )
}

function isRepeated(places: readonly string[]): boolean {
  const dialects = places.map((place) => DIALECTS.find((folder) => place.startsWith(folder)))
  const areTwins = !dialects.includes(undefined) && new Set(dialects).size === places.length
  return places.length > 1 && !areTwins
}
