import { compile, selectAll } from 'css-select'
import type { ChildNode, Document, Element } from 'domhandler'
import { type HtmlListener, visitNodes } from './html-parse.ts'

/**
 * Calls the listener for the title of the page and for the elements that match a CSS selector, in document order,
 * each once, as a block of its own. Consecutive table rows form one table. An element that matches counts as visible
 * even if it is hidden: the author of the selector wants it.
 *
 * @throws Error for an invalid selector
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

/** @throws Error for an invalid selector */
export const checkSelector = (selector: string): void => void compile(selector)

function hasAncestor(node: Element, found: ReadonlySet<Element>): boolean {
  for (let above = node.parent; above; above = above.parent) if (found.has(above as Element)) return true
  return false
}
