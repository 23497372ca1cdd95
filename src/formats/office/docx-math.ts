/** A part of an equation as text. `wrapped`: it is in brackets already and needs no others. */
type Piece = { text: string; wrapped: boolean }

/** An open element: a structure, which contains arguments, or an argument, which contains text and structures. */
type Node = Piece & {
  name: string
  arguments: (Piece & { name: string })[]
  options: Map<string, string>
  /** The last characters of the text. */
  tail: string
  /** Whether a letter directly after it would be read as a part of it: after the 2 of `x^2`. */
  isOpen: boolean
}

/**
 * Writes an equation of a Word file (ECMA-376 part 1, 22.1) as one line of text in the style of UnicodeMath (Unicode
 * technical note 28), which is readable and can be searched: `x=(-b±√(b^2-4ac))/(2a)`, `∑_(k=1)^n A_k`, `[1, 0; 0,
 * 1]`. `open` and `close` are called with the local names of elements, in file order.
 */
export class MathText {
  readonly #nodes: Node[] = [newNode('oMath')]

  /** The text so far, without that of open elements. */
  get text(): string {
    return this.#nodes[0]!.text.trim()
  }

  /** How many elements are open. */
  get depth(): number {
    return this.#nodes.length - 1
  }

  write(text: string): void {
    const visible = text.replaceAll(APPLICATION, ' ').replace(INVISIBLE, '')
    append(this.#nodes.at(-1)!, { text: visible, wrapped: false }, {})
  }

  open(name: string): void {
    this.#nodes.push(newNode(name))
  }

  close(): void {
    if (this.#nodes.length === 1) return
    const node = this.#nodes.pop()!
    const parent = this.#nodes.at(-1)!
    const render = STRUCTURES[node.name]
    const isInStructure = parent.name in STRUCTURES
    if (render) {
      const { text, wrapped } = render(node, this.#nodes.at(-2)?.name ?? '')
      const piece = { text: node.text + text, wrapped }
      if (node.name === 'mr') parent.arguments.push({ ...piece, name: 'mr' })
      else
        append(parent, piece, {
          parted: SEPARATE_TERMS.has(node.name),
          isOpen: !wrapped && render !== inside,
        })
    } else if (isInStructure) {
      parent.arguments.push({ name: node.name, text: node.text.trim(), wrapped: node.wrapped })
    } else append(parent, node, { isOpen: node.isOpen })
  }

  /** A property (such as `chr`) of the innermost open structure. */
  option(name: string, value: string): void {
    this.#nodes.findLast((node) => node.name in STRUCTURES)?.options.set(name, value)
  }
}

/** The elements that {@link MathText} handles. Of an option only the attribute `val` is used. */
export const MATH_ARGUMENTS = ['e', 'num', 'den', 'sub', 'sup', 'deg', 'fName', 'lim'] as const
export const MATH_OPTIONS = [
  'begChr',
  'sepChr',
  'endChr',
  'chr',
  'pos',
  'type',
  'degHide',
  'subHide',
  'supHide',
] as const

const newNode = (name: string): Node => ({
  name,
  text: '',
  wrapped: false,
  arguments: [],
  options: new Map(),
  tail: '',
  isOpen: false,
})

/** @param how `parted`: a space separates the piece from a word before it; `isOpen`: also from a word after it */
function append(node: Node, piece: Piece, how: { parted?: boolean; isOpen?: boolean }): void {
  const { text } = piece
  if (text === '') return
  const isParted = (how.parted || (node.isOpen && BEGINS_WORD.test(text))) && ENDS_WORD.test(node.tail)
  node.wrapped = node.text === '' && piece.wrapped
  node.text += isParted ? ` ${text}` : text
  node.tail = text.slice(-2)
  node.isOpen = how.isOpen ?? false
}

const BEGINS_WORD = /^[\p{L}\p{N}]/u
const ENDS_WORD = /[\p{L}\p{M}\p{N})\]}|′]$/u
/** Function application: `sin` before its argument. */
const APPLICATION = '\u2061'
/** Invisible times, separator and plus: they have no glyph. */
const INVISIBLE = /[\u2062-\u2064]/g

/** Structures that begin a term of their own: `2 a/b` is not `2a/b`. */
const SEPARATE_TERMS: ReadonlySet<string> = new Set(['f', 'func', 'nary', 'rad', 'sPre'])

const plain = (text: string): Piece => ({ text, wrapped: false })
const wrapped = (text: string): Piece => ({ text, wrapped: true })

const NONE = { name: '', text: '', wrapped: false }

const argument = (node: Node, name: string) => node.arguments.find((one) => one.name === name) ?? NONE

const texts = (node: Node): string[] => node.arguments.map(({ text }) => text.replaceAll('&', '').trim())

/** The piece as one term: a number, a word or a sign as it is, anything else in brackets. */
function term(piece: Piece): string {
  if (piece.wrapped || piece.text === '') return piece.text
  return piece.text.length <= LONGEST_TERM && TERM.test(piece.text) ? piece.text : `(${piece.text})`
}

const LONGEST_TERM = 40
const TERM = /^(?:\p{N}+(?:[.,]\p{N}+)*|[∂∇]?(?:\p{L}\p{M}*)+['′″]*|.)$/u
const SIGNED = /^[-−+][\p{N}\p{L}]$|^[-−+]\p{N}{1,10}$/u

function script(mark: '_' | '^', piece: Piece): string {
  const text = piece.text.trim()
  if (text === '') return ''
  return mark + (SIGNED.test(text) ? text : term({ ...piece, text }))
}

const isSet = (node: Node, option: string): boolean => {
  const value = node.options.get(option)
  return value !== undefined && !/^(0|false|off)$/.test(value)
}

/** The sign that a property names, at most two characters: a file may have a longer text there. */
const sign = (node: Node, option: string, usual: string): string =>
  [...(node.options.get(option) ?? usual)].slice(0, 2).join('')

const STRUCTURES: Readonly<Record<string, (node: Node, grandparent: string) => Piece>> = {
  f(node) {
    if (node.arguments.every(({ text }) => text === '')) return plain('')
    const bar = node.options.get('type') === 'noBar' ? '¦' : '/'
    return plain(`${term(argument(node, 'num'))}${bar}${term(argument(node, 'den'))}`)
  },
  d(node) {
    const [begin, end] = [sign(node, 'begChr', '('), sign(node, 'endChr', ')')]
    const separator = sign(node, 'sepChr', '|')
    const inside = node.arguments.map(({ text }) => text).join(separator === ',' ? ', ' : separator)
    return { text: `${begin}${inside}${end}`, wrapped: begin !== '' && end !== '' }
  },
  rad(node) {
    const degree = isSet(node, 'degHide') ? '' : argument(node, 'deg').text
    const root = ROOTS[degree]
    return root === undefined
      ? wrapped(`root(${degree}, ${argument(node, 'e').text})`)
      : plain(root + term(argument(node, 'e')))
  },
  nary(node) {
    const sub = isSet(node, 'subHide') ? '' : script('_', argument(node, 'sub'))
    const sup = isSet(node, 'supHide') ? '' : script('^', argument(node, 'sup'))
    return plain(`${sign(node, 'chr', '∫')}${sub}${sup} ${argument(node, 'e').text}`.trimEnd())
  },
  func(node) {
    const of = argument(node, 'e')
    if (of.wrapped) return plain(argument(node, 'fName').text + of.text)
    const isOneTerm = of.text.length <= LONGEST_TERM && !/[\s+\-−±=<>/]/.test(of.text)
    return plain(`${argument(node, 'fName').text}${isOneTerm ? ` ${of.text}` : `(${of.text})`}`)
  },
  limLow: (node) => plain(term(argument(node, 'e')) + script('_', argument(node, 'lim'))),
  limUpp: (node) => plain(term(argument(node, 'e')) + script('^', argument(node, 'lim'))),
  sSub: scripted,
  sSup: scripted,
  sSubSup: scripted,
  sPre: (node) =>
    plain(
      `(${script('_', argument(node, 'sub'))}${script('^', argument(node, 'sup'))})${term(argument(node, 'e'))}`,
    ),
  acc(node) {
    const mark = sign(node, 'chr', '\u0302')
    return marked(argument(node, 'e'), mark, ACCENTS[mark] ?? 'accent')
  },
  bar: (node) =>
    node.options.get('pos') === 'top'
      ? marked(argument(node, 'e'), '\u0305', 'bar')
      : marked(argument(node, 'e'), '\u0332', 'underline'),
  groupChr(node) {
    const mark = sign(node, 'chr', '⏟')
    const name = GROUPS[mark]
    return name
      ? wrapped(`${name}(${argument(node, 'e').text})`)
      : plain(`${mark}(${argument(node, 'e').text})`)
  },
  m(node, grandparent) {
    const rows = node.arguments.map(({ text }) => text).join('; ')
    return grandparent === 'd' ? plain(rows) : wrapped(`[${rows}]`)
  },
  mr: (node) => plain(texts(node).join(', ')),
  eqArr: (node) => plain(texts(node).join('; ')),
  box: inside,
  borderBox: inside,
  phant: inside,
}

/** The structures by name. */
export const MATH_STRUCTURES: readonly string[] = Object.keys(STRUCTURES)

function scripted(node: Node): Piece {
  const scripts = script('_', argument(node, 'sub')) + script('^', argument(node, 'sup'))
  return plain(term(argument(node, 'e')) + scripts)
}

function inside(node: Node): Piece {
  const [first = NONE] = node.arguments
  return { text: first.text, wrapped: first.wrapped }
}

/** A mark above or below: a combining character on a single character, a name around a longer text: `hat(ab)`. */
const marked = ({ text }: Piece, mark: string, name: string): Piece =>
  [...text].length === 1 && /\p{M}/u.test(mark) ? plain(text + mark) : wrapped(`${name}(${text})`)

const ROOTS: Readonly<Record<string, string | undefined>> = { '': '√', 2: '√', 3: '∛', 4: '∜' }

const ACCENTS: Readonly<Record<string, string | undefined>> = {
  '\u0300': 'grave',
  '\u0301': 'acute',
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'bar',
  '\u0306': 'breve',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u030c': 'check',
  '\u20d6': 'vec',
  '\u20d7': 'vec',
}

const GROUPS: Readonly<Record<string, string | undefined>> = { '⏞': 'overbrace', '⏟': 'underbrace' }
