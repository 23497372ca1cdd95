import { compile, selectAll } from 'css-select'
import { DomHandler } from 'htmlparser2'
import type { ChildNode } from 'domhandler'
import type { HtmlText } from './html-text.ts'

/** A page as a tree, told in the order of its tags and texts. How deep it goes is the teller's care. */
export class HtmlTree {
  readonly #handler = new DomHandler()

  open(name: string, attributes: Record<string, string>): void {
    this.#handler.onopentag(name, attributes)
  }

  text(text: string): void {
    this.#handler.ontext(text)
  }

  close(_name: string): void {
    this.#handler.onclosetag()
  }

  /**
   * Tells a page the elements that a CSS selector meets, in their order, each once, as blocks of their own; and its title.
   *
   * @throws Error for a selector that is none
   */
  writeSelected(selector: string, page: HtmlText): void {
    const { root } = this.#handler
    const found = new Set<ChildNode>(selectAll<ChildNode, never>(selector, root))
    const title = selectAll<ChildNode, never>('title', root).slice(0, 1)
    for (const node of title) tell(node, page)
    for (const node of found) {
      if (hasAncestor(node, found)) continue
      page.open('div', {})
      tell(node, page)
      page.close('div')
    }
  }
}

/** @throws Error for a selector that is none */
export const checkSelector = (selector: string): void => void compile(selector)

function hasAncestor(node: ChildNode, found: ReadonlySet<ChildNode>): boolean {
  for (let above = node.parent; above; above = above.parent) if (found.has(above as ChildNode)) return true
  return false
}

function tell(node: ChildNode, page: HtmlText): void {
  if ('data' in node && node.type === 'text') page.text(node.data)
  if (!('attribs' in node)) return
  page.open(node.name, node.attribs)
  for (const child of node.children) tell(child, page)
  page.close(node.name)
}
