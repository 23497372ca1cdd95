import { blank } from './blank.ts'

/** One import as the code writes it. `import('x').T` in a type counts as dynamic: it names the file all the same. */
export type Import = { specifier: string; line: number; kind: 'value' | 'type' | 'dynamic' }

/** `from` ends an import or a re-export; `import 'x'` has nothing before its text; `import(` is dynamic. */
const CLAUSES = [
  { pattern: /\b(?:import|export)\b(?<clause>[\w\s{},*$]*?)\bfrom\s*(?=['"])/g, dynamic: false },
  { pattern: /\bimport\s*(?=['"])/g, dynamic: false },
  { pattern: /\bimport\s*\(\s*(?=['"`])/g, dynamic: true },
]

/** Every import of a TypeScript source with a literal target, in the order of the source. */
export function importsOf(source: string): Import[] {
  const code = blank(source)
  const found: (Import & { offset: number })[] = []
  for (const { pattern, dynamic } of CLAUSES)
    for (const match of code.matchAll(pattern)) {
      const quote = match.index + match[0].length
      const end = code.indexOf(code[quote]!, quote + 1)
      const onlyTypes = /^\s*type\b(?!\s*,|\s*$)/.test(match.groups?.clause ?? '')
      found.push({
        specifier: source.slice(quote + 1, end),
        line: lineAt(code, quote),
        kind: dynamic ? 'dynamic' : onlyTypes ? 'type' : 'value',
        offset: match.index,
      })
    }
  return found
    .sort((a, b) => a.offset - b.offset)
    .map(({ specifier, line, kind }) => ({ specifier, line, kind }))
}

/** The lines on which a source reaches for the environment of the process. */
export function environmentReads(source: string): number[] {
  const code = blank(source)
  const direct = [...code.matchAll(/\bprocess\s*(?:\??\.\s*env\b|(?:\?\.)?\[)/g)].map((match) => match.index)
  const taken = [...code.matchAll(/\{[^{}]*\benv\b[^{}]*\}\s*=\s*process\b/g)].map((match) => match.index)
  const imported = [...code.matchAll(/\bimport\b[^'";]*\benv\b[^'";]*\bfrom\s*(?=['"])/g)]
    .filter((match) => /^['"](node:)?process['"]/.test(source.slice(match.index + match[0].length)))
    .map((match) => match.index)
  return [...direct, ...taken, ...imported].sort((a, b) => a - b).map((offset) => lineAt(code, offset))
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length
