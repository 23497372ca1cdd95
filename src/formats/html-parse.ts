import { type ChildNode, type Document, Element } from 'domhandler'
import { html, Parser, Token } from 'parse5'
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter'

/** Thrown where a page is not read to its end; the message is the reason. */
export class HtmlOverLimit extends Error {}

export type HtmlLimits = {
  /** Elements that are open at once. */
  depth: number
  /** Elements in all: tags of style that are never closed are opened anew in each paragraph. */
  elements: number
}

/** What is told of a page, in its order. */
export type HtmlListener = {
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

/**
 * A page as a tree, built as the HTML standard does (scripting disabled), with two exceptions for what people would
 * lose: rows and cells outside of any table, whose tags the standard ignores, are parted by line breaks and spaces;
 * and in XHTML, or where a name has a colon (`<ix:nonFraction/>`), a tag that closes itself is closed.
 *
 * @throws HtmlOverLimit
 */
export function parseHtml(text: string, limits: HtmlLimits): Document {
  let elements = 0
  const treeAdapter: typeof adapter = {
    ...LEAN,
    createElement(name, namespace, attributes) {
      if (++elements > limits.elements)
        throw new HtmlOverLimit(`it has more than ${limits.elements} elements`)
      return LEAN.createElement(name, namespace, attributes)
    },
  }
  const isXml = /^\s*<\?xml\s/.test(text.slice(0, 200))
  const parser = new PageParser({ treeAdapter, scriptingEnabled: false }, isXml, limits.depth)
  parser.tokenizer.write(text, true)
  return parser.document
}

/** The adapter without what nobody here asks for, which takes half of the memory: namespaces of attributes, comments. */
const LEAN: typeof adapter = {
  ...adapter,
  createElement(name, namespace, attributes) {
    const element = new Element(name, attributes.length === 0 ? NO_ATTRIBUTES : attributesOf(attributes), [])
    element.namespace = namespace
    return element
  },
  adoptAttributes(element, attributes) {
    element.attribs = { ...attributesOf(attributes), ...element.attribs }
  },
  getAttrList: ({ attribs }) => Object.entries(attribs).map(([name, value]) => ({ name, value })),
  appendChild(parent, node) {
    if (!adapter.isCommentNode(node)) adapter.appendChild(parent, node)
  },
}

const NO_ATTRIBUTES: Record<string, string> = Object.freeze({})

/** In a plain object, which is small; a name that is special there is left out. */
function attributesOf(attributes: readonly Token.Attribute[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, value } of attributes) if (name !== '__proto__') found[name] = value
  return found
}

/** Tells a listener nodes and all below them, in their order. Does not recurse: a tree may be deeper than its tags. */
export function visitNodes(nodes: readonly ChildNode[], listener: HtmlListener): void {
  const path: { children: readonly ChildNode[]; next: number; name?: string }[] = [
    { children: nodes, next: 0 },
  ]
  for (let at = path.at(-1); at; at = path.at(-1)) {
    const node = at.children[at.next++]
    if (node === undefined) {
      path.pop()
      if (at.name !== undefined) listener.close(at.name)
    } else if (node.type === 'text') listener.text(node.data)
    else if ('attribs' in node) {
      listener.open(node.name, node.attribs)
      path.push({ children: node.children, next: 0, name: node.name })
    } else if ('children' in node) path.push({ children: node.children, next: 0 })
  }
}

const ROW_PARTS: ReadonlySet<string> = new Set(['tr', 'td', 'th'])

/** Elements of which everything up to their end tag is text. */
const RAW: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style textarea title xmp'.split(' '),
)

class PageParser extends Parser<Htmlparser2TreeAdapterMap> {
  readonly #isXml: boolean
  readonly #mostDepth: number
  #depth = 0
  #tables = 0

  constructor(
    options: ConstructorParameters<typeof Parser<Htmlparser2TreeAdapterMap>>[0],
    isXml: boolean,
    mostDepth: number,
  ) {
    super(options)
    this.#isXml = isXml
    this.#mostDepth = mostDepth
  }

  override onItemPush(node: Htmlparser2TreeAdapterMap['parentNode'], tag: html.TAG_ID, isTop: boolean): void {
    super.onItemPush(node, tag, isTop)
    if (++this.#depth > this.#mostDepth)
      throw new HtmlOverLimit(`it is nested more than ${this.#mostDepth} deep`)
    if ('name' in node && node.name === 'table') this.#tables++
  }

  override onItemPop(node: Htmlparser2TreeAdapterMap['parentNode'], isTop: boolean): void {
    super.onItemPop(node, isTop)
    this.#depth--
    if ('name' in node && node.name === 'table') this.#tables--
  }

  override onStartTag(token: Token.TagToken): void {
    const { tagName } = token
    if (this.#tables === 0 && ROW_PARTS.has(tagName)) this.#part(tagName)
    const isClosed = token.selfClosing && (this.#isXml || tagName.includes(':'))
    if (isClosed && RAW.has(tagName)) return
    const before = this.#current
    super.onStartTag(token)
    const opened = this.#current
    if (isClosed && opened !== before && opened?.name === tagName)
      super.onEndTag({ ...token, type: Token.TokenType.END_TAG, selfClosing: false, attrs: [] })
  }

  get #current(): Element | undefined {
    return this.openElements.current as Element | undefined
  }

  /** Parts a row or cell that stands in no table from what is before it. */
  #part(tagName: string): void {
    const namespace = this.#current?.namespace ?? html.NS.HTML
    if (namespace !== html.NS.HTML) return
    if (tagName !== 'tr') {
      const type = Token.TokenType.WHITESPACE_CHARACTER
      super.onWhitespaceCharacter({ type, chars: ' ', location: null })
      return
    }
    super.onStartTag({
      type: Token.TokenType.START_TAG,
      tagName: 'br',
      tagID: html.TAG_ID.BR,
      selfClosing: false,
      ackSelfClosing: false,
      attrs: [],
      location: null,
    })
  }
}
