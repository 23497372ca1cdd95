import { type CodeKind, CONTINUES, definedName, endsOpen, isBracket, LEADS } from './code-kinds.ts'
import { LINE_START, lineStart } from './code-words.ts'
import { type LineReader, type Lines, headingTitle } from './line-reader.ts'
import { RANK } from './ranked-breaks.ts'

const TAB_WIDTH = 4
/** How many units of a line are searched for a definition. */
const LOOKED_AT = 200
/** A table of a configuration file: `[server]`. */
const TABLE = /^\[{1,2}([^\][]+)\]{1,2}\s*$/

/**
 * The lines of code. What a function or class contains is told by indentation, in every language: few files of code are not
 * indented, and braces in strings and comments mislead nobody.
 */
export class CodeLines implements LineReader {
  readonly hasSentences = false
  readonly #to: Lines
  readonly #kind: CodeKind
  /** The indentations of the definitions that the line is in. */
  readonly #open: number[] = []
  #isBlank = true
  #indent = 0
  /** The first of the lines before that lead to a definition; -1 for none. */
  #lead = -1
  #leadIndent = 0

  constructor(to: Lines, kind: CodeKind) {
    this.#to = to
    this.#kind = kind
  }

  read(start: number, end: number): void {
    const { text, breaks } = this.#to
    const blanks = text.skipBlanks(start, end)
    const first = text.skipSpace(blanks, end)
    if (first === end) {
      this.#isBlank = true
      this.#lead = -1
      return
    }
    const indent = first - start + (TAB_WIDTH - 1) * text.tabs(blanks, first)
    const unit = text.unit(first)
    const may = lineStart(unit, text.unit(first + 1), text.unit(first + 2))
    const last = Math.min(end, first + LOOKED_AT)
    // A fifth of the lines of code: they define nothing.
    const isClosing = isBracket(unit)
    const line = !isClosing && this.#mayTell(may, first, last) ? text.slice(first, last) : ''
    const name = line === '' ? undefined : this.#nameOf(line, may)
    const continues = isClosing || ((may & LINE_START.CONTINUES) > 0 && CONTINUES.test(line))
    const rank = this.#rank(indent, continues)
    if (name !== undefined) this.#define(start, indent, name, rank)
    else {
      breaks.add(start, this.#lead >= 0 ? RANK.LOOSE : rank)
      if (may & LINE_START.LEADS && LEADS.test(line)) this.#leadBy(start, indent)
      else {
        this.#lead = -1
        // What is in a table of a configuration file is not indented.
        if (!continues && this.#kind !== 'plain') this.#close(start, indent)
      }
    }
    this.#isBlank = false
    this.#indent = indent
  }

  /** Most lines of code are told by their begin or end. */
  #mayTell(may: number, first: number, last: number): boolean {
    if ((may & LINE_START.TELLS) > 0 || this.#kind === 'braces') return true
    if (this.#kind !== 'script') return false
    const { text } = this.#to
    return endsOpen(text.unit(text.skipSpaceBack(first, last) - 1))
  }

  #nameOf(line: string, may: number): string | undefined {
    return this.#kind === 'plain' ? TABLE.exec(line)?.[1] : definedName(line, this.#kind, may)
  }

  #rank(indent: number, continues: boolean): number {
    if (continues) return RANK.LOOSE
    if (this.#isBlank) return RANK.PARAGRAPH
    return indent <= this.#indent ? RANK.LINE : RANK.LOOSE
  }

  #leadBy(start: number, indent: number): void {
    if (this.#lead >= 0 && this.#leadIndent === indent) return
    this.#lead = start
    this.#leadIndent = indent
  }

  #define(start: number, indent: number, name: string, rank: number): void {
    const { breaks, outline } = this.#to
    const isLed = this.#lead >= 0 && this.#leadIndent === indent
    const at = isLed ? this.#lead : start
    if (isLed) {
      breaks.add(start, RANK.NEVER)
      breaks.raise(at, RANK.DEFINITION)
    } else breaks.add(start, this.#isFirstInside(indent) ? Math.min(rank, RANK.LOOSE) : RANK.DEFINITION)
    while (this.#open.length > 0 && this.#open.at(-1)! >= indent) this.#open.pop()
    this.#open.push(indent)
    outline.change({ at, level: indent + 1, title: headingTitle(name), joined: false })
    this.#lead = -1
  }

  /** Whether the line before is that of the definition around it: `class A:` should not end a chunk. */
  #isFirstInside(indent: number): boolean {
    return !this.#isBlank && indent > this.#indent
  }

  #close(start: number, indent: number): void {
    if (this.#open.length === 0 || this.#open.at(-1)! < indent) return
    while (this.#open.length > 0 && this.#open.at(-1)! >= indent) this.#open.pop()
    this.#to.outline.change({ at: start, level: indent + 1, joined: false })
  }
}
