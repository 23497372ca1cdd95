import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PageText } from './pdf-pages.ts'
import type { Note } from '../reader.ts'

/** A node of the HTML that pdf.js makes of an XFA form; pdf.js has no type for it. */
type XfaNode = {
  name?: string
  value?: string
  attributes?: {
    class?: readonly string[]
    type?: string
    value?: unknown
    textContent?: unknown
    checked?: boolean
    selected?: boolean
  }
  children?: readonly XfaNode[]
}

/** Deeper nodes are left out; no real form is nested like this. */
const MAX_DEPTH = 500

/** The text of each page of an XFA form, which is in the form data and not on the PDF pages. */
export async function* formTexts(pdf: PDFDocumentProxy): AsyncGenerator<PageText | Note> {
  let empty = 0
  for (let pageNumber = 1; pageNumber <= pdf.numPages; pageNumber++) {
    const text = await xfaText(pdf, pageNumber)
    if (text !== '') yield { pageNumber, text }
    else empty++
  }
  if (empty === pdf.numPages) yield { note: 'an XFA form without text' }
}

/**
 * One line for each text and field, in the order of the form: `Name: value`, `[x] Choice`, and only the caption if
 * nothing was filled in.
 */
async function xfaText(pdf: PDFDocumentProxy, pageNumber: number): Promise<string> {
  const page = await pdf.getPage(pageNumber)
  const form = (await page.getXfa()) as XfaNode | null
  page.cleanup()
  const lines: string[] = []
  if (form) addLines(form, lines, 0)
  return lines.join('\n')
}

function addLines(node: XfaNode, lines: string[], depth: number): void {
  if (depth > MAX_DEPTH) return
  const kinds = node.attributes?.class ?? []
  const isOne = ['xfaField', 'xfaDraw'].some((kind) => kinds.includes(kind))
  if (!isOne) for (const child of node.children ?? []) addLines(child, lines, depth + 1)
  else {
    const { words, values, isTicked } = collectField(node, { words: [], values: [], isTicked: false }, depth)
    const [caption, value] = [words, values].map((all) => all.join(' ').replaceAll(/\s+/g, ' ').trim())
    const mark = isTicked ? '[x] ' : ''
    const line = mark + [caption, value].filter(Boolean).join(': ')
    if (line !== '') lines.push(line)
  }
}

type FieldTexts = { words: string[]; values: string[]; isTicked: boolean }

/** Collects the words and the values inside a field. */
function collectField(node: XfaNode, found: FieldTexts, depth: number): FieldTexts {
  const { name, value, attributes = {}, children = [] } = node
  if (name === 'input' && (attributes.type === 'checkbox' || attributes.type === 'radio')) {
    found.isTicked ||= attributes.checked === true
  } else if (name === 'input' || name === 'textarea') {
    const text = attributes.value ?? attributes.textContent
    if (typeof text === 'string') found.values.push(text)
  } else if (name === 'option') {
    if (attributes.selected && value) found.values.push(value)
  } else if (value) found.words.push(value)
  if (depth < MAX_DEPTH) for (const child of children) collectField(child, found, depth + 1)
  return found
}
