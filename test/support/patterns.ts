import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '@babel/parser'

const ROOT = path.join(import.meta.dirname, '../..')

/** A regular expression literal of the product, and its place. */
export type Pattern = { file: string; line: number; source: string; flags: string }

/** Every regular expression literal of `src/`, and every place where one is made of a text, as `file:line`. */
export function patternsOfProduct(): { literals: Pattern[]; made: string[] } {
  const literals: Pattern[] = []
  const made: string[] = []
  for (const name of globSync('src/**/*.ts', { cwd: ROOT }).toSorted()) {
    const file = name.replaceAll('\\', '/')
    if (file.endsWith('.test.ts')) continue
    const { program } = parse(readFileSync(path.join(ROOT, name), 'utf8'), {
      sourceType: 'module',
      plugins: ['typescript'],
    })
    visit(program, (node) => {
      const line = node.loc?.start.line ?? 0
      if (node.type === 'RegExpLiteral')
        literals.push({ file, line, source: String(node.pattern), flags: String(node.flags) })
      else if (node.type === 'NewExpression' && (node.callee as Node).name === 'RegExp') made.push(file)
    })
  }
  return { literals, made }
}

type Node = { type: string; loc?: { start: { line: number } } } & Record<string, unknown>

function visit(value: unknown, each: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, each)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) each(value as Node)
    for (const [key, inner] of Object.entries(value)) if (key !== 'loc') visit(inner, each)
  }
}
