import { type ChildNode, type Document, Element } from 'domhandler'
import { html, Parser, Token } from 'parse5'
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter'

/** Thrown when a page exceeds a limit; the message is the reason. */
export class HtmlOverLimit extends Error {}

export type HtmlLimits = {
  /** Elements that are open at once. */
  depth: number
  /** Elements in total. The parser opens an unclosed formatting tag again in each paragraph, so they can multiply. */
  elements: number
}

/** Receives the elements and texts of a page in document order. */
export type HtmlListener = {
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

/**
 * Parses a page into a tree as the HTML standard does (scripting disabled), with two exceptions that keep its text
 * readable: table rows and cells outside of a table, whose tags the standard ignores, are separated by line breaks
 * and spaces; and a self-closing tag is closed in XHTML and if its name has a colon (`<ix:nonFraction/>`).
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

/**
 * The adapter without namespaces of attributes and without comments: they are not used here and take half of the
 * memory.
 */
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

/** As a plain object, which takes little memory; `__proto__` is left out because it is special there. */
function attributesOf(attributes: readonly Token.Attribute[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { name, value } of attributes) if (name !== '__proto__') found[name] = value
  return found
}

/**
 * Calls the listener for the nodes and all their descendants in document order. It is not recursive, because a tree
 * may be deeper than the nesting of its tags.
 */
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

/** Elements whose content, up to the end tag, is raw text. */
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
    if (this.#tables === 0 && ROW_PARTS.has(tagName)) this.#separate(tagName)
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

  /** Separates a row or cell outside of any table from the text before it. */
  #separate(tagName: string): void {
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
