import type { JsonEvents, JsonPath } from './json-scanner.ts'
import type { FileLimits } from '../limits.ts'

/** How many characters several texts may have together. */
export type Room = { left: number }

/** A text of which the characters are kept for which there is room. */
export class LimitedText {
  text = ''
  /** Characters that were not kept. */
  cut = 0
  readonly #room: Room

  constructor(room: Room) {
    this.#room = room
  }

  add(piece: string): void {
    const kept = piece.slice(0, this.#room.left)
    this.text += kept
    this.#room.left -= kept.length
    this.cut += piece.length - kept.length
  }
}

/** The result of a cell in the forms that it has. */
export type NotebookOutput = {
  plain: LimitedText
  markdown: LimitedText
  latex: LimitedText
  html: LimitedText
  error: LimitedText
  traceback: LimitedText
  hasPicture: boolean
}

export type NotebookCell = {
  /** In the file, from 1. */
  number: number
  /** `code`, `markdown`, `raw`, `heading` (nbformat 3), or another word. */
  type: LimitedText
  /** Of a heading, 1 by default: its level is a number, which is not read. */
  source: LimitedText
  outputs: NotebookOutput[]
  /** Pictures that a text shows. */
  pictures: number
}

/** Characters of a name or a type. */
const SHORT = 200
/** Outputs of a cell that are kept: each may be a line. */
const MOST_OUTPUTS = 10_000
/** Characters of HTML for one of text. */
const PAGE_SHARE = 4

/** Collects the cells of a notebook (nbformat 2 to 4) from the events of its JSON. */
export class NotebookCells implements JsonEvents {
  /** Those that are complete; whoever takes one removes it. */
  readonly complete: NotebookCell[] = []
  /** Outputs that were not kept. */
  outputsLeftOut = 0
  readonly #limits: FileLimits
  #number = 0
  #cell: NotebookCell | undefined
  #output: NotebookOutput | undefined
  /** For all outputs of the cell: its texts, and its HTML, of which most is markup. */
  #rooms = { text: { left: 0 }, page: { left: 0 } }

  constructor(limits: FileLimits) {
    this.#limits = limits
  }

  open(path: JsonPath): void {
    const at = cellAt(path)
    if (at === undefined) return
    if (path.length === at) {
      this.#cell = {
        number: ++this.#number,
        type: new LimitedText({ left: SHORT }),
        source: new LimitedText({ left: this.#limits.notebookSource }),
        outputs: [],
        pictures: 0,
      }
      this.#output = undefined
      const left = this.#limits.notebookOutput
      this.#rooms = { text: { left }, page: { left: PAGE_SHARE * left } }
    } else if (path.length === at + 2 && path[at] === 'outputs') this.#beginOutput()
    else if (path.length === at + 2 && path[at] === 'attachments' && this.#cell) this.#cell.pictures++
    else if (path[at] === 'outputs') this.#picture(path, at)
  }

  close(path: JsonPath): void {
    if (!this.#cell || path.length !== cellAt(path)) return
    this.complete.push(this.#cell)
    this.#cell = undefined
  }

  text(path: JsonPath): ((piece: string) => void) | undefined {
    const at = cellAt(path)
    if (at === undefined || !this.#cell) return undefined
    const field = path[at]
    if (field === 'cell_type' && path.length === at + 1) return into(this.#cell.type)
    if ((field === 'source' || field === 'input') && isTextAt(path, at + 1)) return into(this.#cell.source)
    return field === 'outputs' ? this.#outputText(path, at) : undefined
  }

  #beginOutput(): void {
    this.#output = undefined
    if (this.#cell!.outputs.length === MOST_OUTPUTS) this.outputsLeftOut++
    else {
      const { text, page } = this.#rooms
      this.#output = {
        plain: new LimitedText(text),
        markdown: new LimitedText(text),
        latex: new LimitedText(text),
        html: new LimitedText(page),
        error: new LimitedText({ left: SHORT }),
        traceback: new LimitedText(text),
        hasPicture: false,
      }
      this.#cell!.outputs.push(this.#output)
    }
  }

  /** A picture may be a text, or a list of lines. */
  #picture(path: JsonPath, at: number): void {
    const form = formAt(path, at)
    if (this.#output && form !== undefined && PICTURE.test(form)) this.#output.hasPicture = true
  }

  #outputText(path: JsonPath, at: number): ((piece: string) => void) | undefined {
    const output = this.#output
    const form = formAt(path, at)
    if (!output || form === undefined) return undefined
    this.#picture(path, at)
    switch (form) {
      case 'text':
      case 'text/plain':
        return into(output.plain)
      case 'markdown':
      case 'text/markdown':
        return into(output.markdown)
      case 'latex':
      case 'text/latex':
        return into(output.latex)
      case 'html':
      case 'text/html':
        return into(output.html)
      case 'ename':
      case 'evalue':
        return intoLine(output.error, ': ')
      case 'traceback':
        return intoLine(output.traceback, '\n')
      default:
        return undefined
    }
  }
}

const PICTURE = /^(?:png|jpeg|svg|image\/.*)$/

/** How many steps of a path lead to a cell; undefined where it leads elsewhere. Of nbformat 3, sheets have the cells. */
function cellAt(path: JsonPath): number | undefined {
  if (path[0] === 'cells') return path.length >= 2 ? 2 : undefined
  return path[0] === 'worksheets' && path[2] === 'cells' && path.length >= 4 ? 4 : undefined
}

/** Whether a path leads to a field, or to a line of its list. */
const isTextAt = (path: JsonPath, length: number): boolean =>
  path.length === length || (path.length === length + 1 && typeof path[length] === 'number')

/** The form in which an output has a value there: its own field, or a media type of its `data`. */
function formAt(path: JsonPath, cell: number): string | undefined {
  const field = path[cell + 2]
  if (field === 'data') return isTextAt(path, cell + 4) ? String(path[cell + 3]) : undefined
  return isTextAt(path, cell + 3) ? String(field) : undefined
}

const into = (target: LimitedText) => (piece: string) => target.add(piece)

function intoLine(target: LimitedText, separator: string): (piece: string) => void {
  if (target.text !== '') target.add(separator)
  return into(target)
}
