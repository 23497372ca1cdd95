import { stripTypeScriptTypes } from 'node:module'
import { blank } from '../rooms/blank.ts'

/** One small change of a source: the text from `start` to `end` becomes `after`. */
export type Mutant = { kind: string; start: number; end: number; after: string }

type Rule = { kind: string; pattern: RegExp; after: (found: string) => string }

const swap = (kind: string, pattern: RegExp, swaps: Record<string, string>): Rule => ({
  kind,
  pattern,
  after: (found) => swaps[found]!,
})

/** Changes of code. Patterns meet a source without types, comments and texts. */
const CODE_RULES: readonly Rule[] = [
  swap('boundary', /(?<=\s)(?:[<>]=?)(?=\s)/g, { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  swap('negation', /(?<=\s)[!=]==(?=\s)/g, { '===': '!==', '!==': '===' }),
  swap('logic', /(?<=\s)(?:&&|\|\||\?\?)(?=\s)/g, { '&&': '||', '||': '&&', '??': '&&' }),
  swap('arithmetic', /(?<=\s)[-+*/](?=\s)/g, { '+': '-', '-': '+', '*': '/', '/': '*' }),
  swap('arithmetic', /\+\+|--/g, { '++': '--', '--': '++' }),
  swap('arithmetic', /(?<=\s)(?:\+=|-=|\?\?=)(?=\s)/g, { '+=': '-=', '-=': '+=', '??=': '=' }),
  swap('constant', /\b(?:true|false)\b/g, { true: 'false', false: 'true' }),
  {
    kind: 'constant',
    pattern: /(?<![\w.$])\d[\d_.]*(?:e\d+)?(?![\w.])/g,
    after: (found) => `(${found} + 1)`,
  },
  swap('negation', /!(?=[\w(#])(?<![\w)\]]!)/g, { '!': '' }),
  swap('negation', /\.(?:some|every)(?=\()/g, { '.some': '.every', '.every': '.some' }),
  swap('limit', /\bMath\.(?:min|max)(?=\()/g, { 'Math.min': 'Math.max', 'Math.max': 'Math.min' }),
]

/** Changes of SQL, inside texts that hold a statement. */
const SQL_RULES: readonly Rule[] = [
  swap('sql', /\bIS (?:NOT )?NULL\b/g, { 'IS NULL': 'IS NOT NULL', 'IS NOT NULL': 'IS NULL' }),
  { kind: 'sql', pattern: /\bNOT (?=EXISTS)/g, after: () => '' },
  { kind: 'sql', pattern: / AND (?:(?! AND | LIMIT |'?$|[`)]).)+/gs, after: () => '' },
  { kind: 'sql', pattern: /(?<=WHERE )\S+ = \S+(?= AND|'?$|`)/gm, after: () => 'TRUE' },
  { kind: 'sql', pattern: /\bLIMIT \S+?(?=[`')\s])/g, after: (found) => `${found} + 1` },
  swap('sql', / [-+] (?=\?)/g, { ' + ': ' - ', ' - ': ' + ' }),
  swap('sql', / >= /g, { ' >= ': ' > ' }),
  swap('sql', / = (?='[a-z]+' (?:LIMIT|AND))/g, { ' = ': ' <> ' }),
]

const SQL = /\b(?:SELECT|UPDATE|DELETE|INSERT)\b/

/** All small changes of a TypeScript source, in the order of the file. */
export function mutantsOf(source: string): Mutant[] {
  // Both keep every offset: removed text becomes spaces.
  const stripped = stripTypeScriptTypes(source, { mode: 'strip' })
  const code = blank(stripped)
  const body = withoutImports(code)
  const mutants = CODE_RULES.flatMap((rule) => apply(rule, body, source, 0))
  mutants.push(...removedStatements(body), ...negatedConditions(body))
  for (const { start, text } of textsOf(stripped, code))
    if (SQL.test(text)) mutants.push(...SQL_RULES.flatMap((rule) => apply(rule, text, source, start)))
  return mutants.sort((left, right) => left.start - right.start || left.end - right.end)
}

export const mutated = (source: string, { start, end, after }: Mutant): string =>
  source.slice(0, start) + after + source.slice(end)

/** A change as `file: line before → line after`, spaces run together. */
export function described(file: string, source: string, mutant: Mutant): string {
  const from = source.lastIndexOf('\n', mutant.start) + 1
  const to = source.indexOf('\n', mutant.end)
  const changed = mutated(source.slice(from, to), {
    ...mutant,
    start: mutant.start - from,
    end: mutant.end - from,
  })
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ')
  return `${file}: ${plain(source.slice(from, to))} → ${plain(changed)}`
}

function apply({ kind, pattern, after }: Rule, text: string, source: string, offset: number): Mutant[] {
  return [...text.matchAll(pattern)].map((match) => {
    const start = offset + match.index
    const end = start + match[0].length
    return { kind, start, end, after: after(source.slice(start, end)) }
  })
}

const withoutImports = (code: string): string =>
  code.replace(/^(?:import|export (?:type )?\{)[^\n]*$/gm, (line) => ' '.repeat(line.length))

/** Calls and assignments that stand alone on their lines, taken away. */
function removedStatements(code: string): Mutant[] {
  const mutants: Mutant[] = []
  for (const match of code.matchAll(
    /^[ \t]+(?:(?:void |await )?\w[\w$#.!]*(?:\(|\[[^\]\n]*\]!? [-+?]*= |[.\w]* [-+?]*= ))/gm,
  )) {
    const start = match.index + match[0].search(/\S/)
    if (/^(?:if|for|while|switch|function|catch|constructor|super)\b/.test(code.slice(start))) continue
    const end = endOfStatement(code, start)
    if (end !== undefined) mutants.push({ kind: 'removed statement', start, end, after: ';' })
  }
  return mutants
}

/** Where a statement ends that ends with its line, all brackets closed; undefined for the head of a block or a list item. */
function endOfStatement(code: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const char = code[at]!
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    if (depth < 0) return undefined
    if (depth > 0 || char !== '\n') continue
    const line = code.slice(start, at).trimEnd()
    const next = code.slice(at).trimStart()
    if (/(?:[,{=:]|=>)$/.test(line)) return undefined
    if (/^(?:[.?:+*)\]]|&&|\|\|)/.test(next)) continue
    return start + line.length
  }
  return undefined
}

/** The conditions of `if` and `while`, turned round; a loop without end is a mutant that runs out of time. */
function negatedConditions(code: string): Mutant[] {
  const mutants: Mutant[] = []
  for (const match of code.matchAll(/\b(?:if|while) \(/g)) {
    const start = match.index + match[0].length
    let depth = 1
    let end = start
    while (depth > 0 && end < code.length) {
      if (code[end] === '(') depth++
      if (code[end] === ')') depth--
      end++
    }
    mutants.push({ kind: 'never', start, end: end - 1, after: 'false' })
    if (match[0].startsWith('if')) mutants.push({ kind: 'always', start, end: end - 1, after: 'true' })
  }
  return mutants
}

/** The texts of a source, with their delimiters. */
function textsOf(source: string, code: string): { start: number; text: string }[] {
  return [...code.matchAll(/'[^']*'|`[^`]*`/g)].map((match) => ({
    start: match.index,
    text: source.slice(match.index, match.index + match[0].length),
  }))
}
