import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { blank } from './blank.ts'
import { HOUSE_WORDS, type HouseWord } from './house-words.ts'

const PAGE = 'docs/architecture.md, "Words"'

/** A name as words in small letters with hyphens: of `NodeTurn`, `NODE_TURN` and `node-turn` the same. */
export const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/[_.]/g, '-')
    .toLowerCase()

/** The names in a source that are not read off something else or brought by an import, with their lines. */
export function namesIn(source: string): { name: string; line: number }[] {
  const code = blank(source).replaceAll(/^\s*(import|export)\b[^;=()]*?\bfrom\s*(?=['"])/gm, (clause) =>
    clause.replaceAll(/[^\n]/g, ' '),
  )
  const found: { name: string; line: number }[] = []
  for (const [at, text] of code.split('\n').entries())
    for (const [name] of text.matchAll(/(?<![\w$.]|\.#)[A-Za-z_][\w$]*/g)) found.push({ name, line: at + 1 })
  return found
}

/** The word of the house that a file should use in place of a name. */
const rightWord = (name: string, words: readonly HouseWord[]): HouseWord | undefined =>
  words.find(({ second, but }) => second?.test(name) && !but?.test(name))

/** The names of files and in their code that are second names for a listed thing: a line for each. */
export function secondNames(root: string, words: readonly HouseWord[] = HOUSE_WORDS): string[] {
  const files = ['src', 'test', 'bench', 'tools']
    .flatMap((folder) =>
      globSync(`${folder}/**/*.ts`, { cwd: root, exclude: (name) => name.includes('node_modules') }),
    )
    .map((file) => file.split(path.sep).join('/'))
  const wrong: string[] = []
  const note = (file: string, line: number, name: string, here: readonly HouseWord[]) => {
    const right = rightWord(wordsOf(name), here)
    if (right)
      wrong.push(
        `${file}:${line}: ${name} is a second name for what is called "${right.word}" here (${PAGE})`,
      )
  }
  for (const file of files.sort()) {
    const here = words.filter(({ within }) => !within || within.some((place) => file.startsWith(place)))
    note(file, 1, path.basename(file).replace(/(\.test)?\.ts$/, ''), here)
    const source = readFileSync(path.join(root, file), 'utf8')
    // Most files have no such word, not even in a comment.
    if (![...new Set(source.match(/[A-Za-z_$][\w$]*/g))].some((name) => rightWord(wordsOf(name), here)))
      continue
    const seen = new Set<string>()
    for (const { name, line } of namesIn(source)) {
      if (!seen.has(name)) note(file, line, name, here)
      seen.add(name)
    }
  }
  return wrong
}
