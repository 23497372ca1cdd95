import { isWhiteSpace } from '../white-space.ts'
import { CONTINUING, DEFINING, LINE_START, lineStart, MODIFIERS, STATING } from './code-words.ts'

/** The endings of file names of code, by how definitions look in it. */
const ENDINGS: Record<CodeKind, string> = {
  words:
    'py pyi rb rs go kt kts swift scala ex exs lua php r jl pl pm vb hs ml clj erl groovy dart gd nim zig v sol proto graphql',
  script: 'js mjs cjs jsx ts mts cts tsx vue svelte',
  braces: 'java c h cc cpp cxx hpp hh cs m mm cu glsl ino',
  plain:
    'sh bash zsh fish ps1 bat cmd sql yaml yml toml ini cfg conf env properties json json5 xml css scss sass less mk cmake tf gradle',
}

/**
 * How definitions look: with a word such as `def` or `class`; those or functions of JavaScript; those or functions that begin
 * with a type; none.
 */
export type CodeKind = 'words' | 'script' | 'braces' | 'plain'

const KIND_OF = new Map(
  Object.entries(ENDINGS).flatMap(([kind, endings]) =>
    endings.split(' ').map((ending) => [ending, kind as CodeKind] as const),
  ),
)

/** The kind of code in a file of this name; undefined where the name does not tell. */
export function codeKindOf(name: string): CodeKind | undefined {
  if (name.includes('://')) return undefined
  const file = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  if (WHOLE_NAMES.has(file)) return 'plain'
  return file.includes('.') ? KIND_OF.get(file.slice(file.lastIndexOf('.') + 1)) : undefined
}

const WHOLE_NAMES = new Set(['dockerfile', 'makefile', '.gitignore', '.env'])

const WORDS = new RegExp(
  `^(?:(?:${MODIFIERS}) +)*(?:${DEFINING}) +([A-Za-z_$\\u00aa-\\uffdc][\\w$.:?!\\u00aa-\\uffdc]*)`,
)
const ARROW =
  /^(?:export +)?(?:default +)?(?:const|let|var) +([\w$]+) *(?::[^=]+)?= *(?:async *)?(?:function\b|\([^)]*\)? *(?::[^=]+)?(?:=>|$)|[\w$]+ *=>)/
const METHOD =
  /^(?:(?:public|private|protected|static|async|get|set|override|readonly) +|\* *)*([#\w$]+) *(?:<[^>]*> *)?\(/
const TYPED = /^(?:[\w<>[\],.*&:?~@]+ +)+[*&]*([\w:~]+) *\(/
const STATEMENT = new RegExp(`^(?:${STATING})\\b`)

/**
 * The name of what a line of code defines, without its indentation; undefined where it defines nothing.
 *
 * @param may what the line may be by its begin
 */
export function definedName(
  line: string,
  kind: CodeKind,
  may = lineStart(line.charCodeAt(0), line.charCodeAt(1), line.charCodeAt(2)),
): string | undefined {
  if (kind === 'plain' || !isNameStart(line.charCodeAt(0))) return undefined
  const named = may & LINE_START.DEFINES ? WORDS.exec(line) : null
  if (named) return withoutMarks(named[1]!)
  if (kind === 'words') return undefined
  const found =
    kind === 'script'
      ? (may & LINE_START.ASSIGNS && ARROW.exec(line)) || methodOf(line, may)
      : typedOf(line, may)
  return found ? withoutMarks(found[1]!) : undefined
}

/** A method begins a block, or goes on with its parameters: `name(` with `{`, `,` or `(` at the end of the line. */
function methodOf(line: string, may: number): RegExpExecArray | undefined {
  if (!endsOpen(lastUnit(line)) || !line.includes('(') || isStatement(line, may)) return undefined
  const found = METHOD.exec(line)
  return found && !line.includes(';', found[0].length) ? found : undefined
}

/** A function that begins with a type; a call or a value has `;` or `=` behind its name. */
function typedOf(line: string, may: number): RegExpExecArray | undefined {
  if (!line.includes('(') || isStatement(line, may)) return undefined
  const found = TYPED.exec(line)
  return found && !/[;=]/.test(line.slice(found[0].length)) ? found : undefined
}

const isStatement = (line: string, may: number): boolean =>
  (may & LINE_START.STATES) > 0 && STATEMENT.test(line)

/** Whether a line that ends with a unit opens a block or goes on with parameters. */
export const endsOpen = (unit: number): boolean => unit === 0x7b || unit === 0x2c || unit === 0x28

/** The last unit that is no white space. */
function lastUnit(line: string): number {
  let last = line.length - 1
  while (last > 0 && isWhiteSpace(line.charCodeAt(last))) last--
  return line.charCodeAt(last)
}

/** Whether a line that begins with a unit ends what is above it, or opens a block. */
export const isBracket = (unit: number): boolean =>
  unit === 0x7d || unit === 0x29 || unit === 0x5d || unit === 0x7b

const NAME_MARKS = [...'_$#~*'].map((mark) => mark.charCodeAt(0))
/** A letter, or a mark that a name may begin with. */
const isNameStart = (unit: number): boolean =>
  ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) || NAME_MARKS.includes(unit)

const withoutMarks = (name: string): string => name.replace(/[.:?!]+$/, '')

/** A line that goes on with what is above it; no chunk should begin with it, nor with one that begins with a bracket. */
export const CONTINUES = new RegExp(`^(?:${CONTINUING})\\b`)

/** A line that belongs to the definition below it: a decorator, an attribute, a comment. */
export const LEADS = /^(?:@[\w]|#(?!!)|\/\/|\/\*|\*|--|"""|'''|\[\w)/

const CODE_BEGIN =
  /^[ \t]*(?:(?:async )?def \w+ *\(|class \w+ *[(:{]|import [\w.*{} ,]+(?: from .*)?;?$|from [\w.]+ import |#include *[<"]|(?:export )?(?:async )?function\*? *\w* *\(|(?:public|private|protected) [\w<>[\] ]+|(?:const|let|var) \w+ *=|func \w*|fn \w+|package [\w.]+;?$|using [\w.]+;$|@\w+|return\b.{0,60}[;)\w]$|self\.\w+|\w[\w.]* ?(?:=|\+=) ?[\w"'[{(].*|(?:if|for|while|elif|except)\b.*[:{]$)/
const DEFINES =
  /^[ \t]*(?:(?:async )?def \w+ *\(|class \w+ *[(:{]|import \w|from [\w.]+ import |#include *[<"]|(?:export )?(?:async )?function\*? *\w* *\(|(?:public|private|protected) [\w<>[\] ]+|(?:const|let|var) \w+ *=|func \w|fn \w+|package \w)/m
/** How much of a text is looked at, in UTF-16 units, and which share of its lines looks like code then. */
const SAMPLE = 4096
const SHARE = 0.3
/**
 * The share of the units in sentences at the margin from which a text is a page with examples: files of code had less than .05,
 * pages .1 and more.
 */
const PROSE_SHARE = 0.08
const SENTENCE_WORDS = 6

/** The kind of code that a text without a telling name is; undefined for other text. */
export function guessCodeKind(text: string): CodeKind | undefined {
  const sample = text.slice(0, SAMPLE)
  if (!DEFINES.test(sample)) return undefined
  let lines = 0
  let code = 0
  let prose = 0
  for (const line of sample.split('\n')) {
    if (line.trim() === '') continue
    lines++
    if (CODE_BEGIN.test(line) || endsLikeCode(line)) code++
    if (isSentence(line)) prose += line.length
  }
  if (code < SHARE * lines || prose > PROSE_SHARE * sample.length) return undefined
  return /\{ *$/m.test(sample)
    ? /\b(?:function|const|let|=>)\b/.test(sample)
      ? 'script'
      : 'braces'
    : 'words'
}

/** Whether a line ends with `;`, `{` or `}`, but for spaces. */
function endsLikeCode(line: string): boolean {
  let last = line.length - 1
  while (last >= 0 && line.charCodeAt(last) === 0x20) last--
  return last >= 0 && ';{}'.includes(line[last]!)
}

/** Whether a line at the margin is of words alone, and begins with a capital letter. Texts inside of code are indented or marked. */
const isSentence = (line: string): boolean =>
  /^\p{Lu}/u.test(line) && !/[;{}=<>_]/.test(line) && line.split(' ').length >= SENTENCE_WORDS
