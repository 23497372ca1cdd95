import { compile, selectAll } from 'css-select'
import type { ChildNode, Document, Element } from 'domhandler'
import { type HtmlListener, visitNodes } from './html-parse.ts'

/**
 * Tells a listener the elements that a CSS selector meets, in their order, each once, as blocks of their own; and the
 * title of the page. Rows that follow one another are one table. An element that is met is told as shown, for who
 * wrote the selector wants it.
 *
 * @throws Error for a selector that is none
 */
export function visitSelected(page: Document, selector: string, listener: HtmlListener): void {
  const found = new Set<Element>(selectAll<ChildNode, Element>(selector, page))
  visitNodes(selectAll<ChildNode, Element>('title', page).slice(0, 1), listener)
  let block: string | undefined
  for (const element of found) {
    if (hasAncestor(element, found)) continue
    const wanted = ROWS.has(element.name) ? 'table' : 'div'
    if (block !== wanted || wanted === 'div') {
      if (block !== undefined) listener.close(block)
      listener.open(wanted, {})
      block = wanted
    }
    const { hidden, style, ...attributes } = element.attribs
    listener.open(element.name, attributes)
    visitNodes(element.children, listener)
    listener.close(element.name)
  }
  if (block !== undefined) listener.close(block)
}

const ROWS: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot', 'tr'])

/** @throws Error for a selector that is none */
export const checkSelector = (selector: string): void => void compile(selector)

function hasAncestor(node: Element, found: ReadonlySet<Element>): boolean {
  for (let above = node.parent; above; above = above.parent) if (found.has(above as Element)) return true
  return false
}
