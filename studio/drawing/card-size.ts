import { cardLines, isFrame } from './card-lines.ts'
import type { DrawnNode } from './graph.ts'

export type Size = { width: number; height: number }

/** The measures of `node-card.module.css`, in pixels at zoom 1; a test compares them with the drawn cards. */
const CARD = { width: 240, narrowest: 120, border: 2, line: 1 }
const HEAD = {
  height: 46,
  padding: 16,
  icon: 28,
  labelLine: 17,
  kindLine: 15,
  besideText: 62,
  problem: 26,
  doubt: 12,
}
const PLUGS = { padding: 6, row: 26 }
const VALUES = { padding: 14, row: 18 }
const NOTE = { padding: 20, line: 20, least: 60, widest: 600, narrowest: 160, usual: 220 }
const FRAME: Size = { width: 420, height: 260 }

/** The width of a letter of a label. Fonts differ, so that it is that of a wide one. */
const letterWidth = (letter: string): number =>
  /[WMmw@%]/.test(letter) ? 12 : /[A-Z]/.test(letter) ? 9 : 7.2
const textWidth = (text: string): number => [...text].reduce((sum, letter) => sum + letterWidth(letter), 0)

/** How large the card of a node is drawn; a label that may need a second line counts as two: widths of letters are estimated. */
export function cardSize(node: DrawnNode): Size {
  if (isFrame(node)) return node.size ?? FRAME
  if (node.shape === 'note') return noteSize(node)
  const { shape } = node
  const label = textWidth(node.label)
  const room = CARD.width - CARD.border - HEAD.besideText - HEAD.problem
  const text =
    (label > room - HEAD.doubt ? 2 : 1) * HEAD.labelLine +
    (node.label === node.kind.label ? 0 : HEAD.kindLine)
  const head = Math.max(HEAD.height, HEAD.padding + Math.max(HEAD.icon, text))
  return {
    width:
      shape === 'part'
        ? CARD.width
        : Math.min(CARD.width, Math.max(CARD.narrowest, label + HEAD.besideText + HEAD.problem)),
    height: CARD.border + head + rowsHeight(node) + valuesHeight(node),
  }
}

/** How many rows have an end of a line: the plugs of a part, the ways out of a step that has several. */
const endRows = ({ shape, plugs, outputs }: DrawnNode): number =>
  shape === 'part' ? plugs.length : outputs.length > 1 ? outputs.length : 0

function rowsHeight(node: DrawnNode): number {
  const rows = endRows(node)
  return rows === 0 ? 0 : CARD.line + PLUGS.padding + rows * PLUGS.row
}

function valuesHeight(node: DrawnNode): number {
  const lines = cardLines(node).length
  return lines === 0 ? 0 : CARD.line + VALUES.padding + lines * VALUES.row
}

/** An end of lines: the name of its plug or way out, empty where there is just one, and its distance from the upper edge. */
export type CardEnd = { name: string; top: number }

/** Where the lines of a card of a height end. The rows stand at its lower edge, those of a part above its values. */
export function cardEnds(node: DrawnNode, height: number): { inputs: CardEnd[]; outputs: CardEnd[] } {
  const rows = endRows(node)
  const last = height - CARD.border - PLUGS.padding / 2 - (node.shape === 'part' ? valuesHeight(node) : 0)
  const row = (at: number) => last - (rows - at) * PLUGS.row + PLUGS.row / 2
  const middle = [{ name: '', top: height / 2 }]
  if (node.shape === 'part')
    return { inputs: node.plugs.map(({ name }, at) => ({ name, top: row(at) })), outputs: middle }
  return {
    inputs: node.kind.name === 'startAgentflow' ? [] : middle,
    outputs: node.outputs.map((_, at) => ({
      name: `${at}`,
      top: node.outputs.length > 1 ? row(at) : height / 2,
    })),
  }
}

export const noteWidth = ({ size }: Pick<DrawnNode, 'size'>): number =>
  Math.min(NOTE.widest, Math.max(NOTE.narrowest, size?.width ?? NOTE.usual))

function noteSize(node: DrawnNode): Size {
  const width = noteWidth(node)
  const { note } = node.values
  const lines = (typeof note === 'string' ? note : '')
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / (width - 40))), 0)
  return { width, height: Math.max(NOTE.least, NOTE.padding + lines * NOTE.line) }
}
