import type { PromptPart, PromptPiece } from '../../contract/prompt.ts'

/** A name that the run fills, such as `question`, `$vars.name` or `llmChain_0.data.instance`, between double braces. */
const PLACE = /\{\{\s*(\$?[\p{L}_][\p{L}\p{N}_$.[\]-]*)\s*\}\}/uy
/** A name that a value of the prompt fills. Text with a colon or quotes, such as JSON, is none. */
const NAME = /\{\s*([\p{L}_](?:[\p{L}\p{N}_. -]*[\p{L}\p{N}_])?)\s*\}/uy
const DOUBLE = /\{\{\s*([\p{L}_](?:[\p{L}\p{N}_. -]*[\p{L}\p{N}_])?)\s*\}\}/uy

/** How the names of values are written: `{name}`, or `{{ name }}` as in mustache and Jinja. */
export type Braces = 'single' | 'double'

/**
 * Reads the text of a prompt. With single braces, `{{` and `}}` that hold no name stand for one brace each; braces that hold no name
 * at all, as in JSON, stay as they are.
 */
export function promptPieces(text: string, braces: Braces = 'single'): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let plain = ''
  const add = (piece: PromptPiece, found: string) => {
    if (plain !== '') pieces.push({ type: 'text', text: plain })
    plain = ''
    pieces.push(piece)
    at += found.length
  }
  /** The widths of the braces that are open. */
  const open: number[] = []
  let at = 0
  while (at < text.length) {
    const brace = text.slice(at).search(/[{}]/)
    if (brace < 0) break
    plain += text.slice(at, at + brace)
    at += brace
    const place = matchAt(braces === 'single' ? PLACE : DOUBLE, text, at)
    const value = braces === 'single' && !place ? matchAt(NAME, text, at) : undefined
    if (place) add({ type: braces === 'single' ? 'place' : 'value', name: place[1]! }, place[0])
    else if (value) add({ type: 'value', name: value[1]! }, value[0])
    else {
      const doubled = braces === 'single' && text[at + 1] === text[at] ? 2 : 1
      const width = text[at] === '{' ? doubled : Math.min(doubled, open.pop() ?? doubled)
      if (text[at] === '{') open.push(width)
      plain += text[at]!
      at += width
    }
  }
  plain += text.slice(at)
  if (plain !== '') pieces.push({ type: 'text', text: plain })
  return pieces
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** The names of the values of a prompt, each once, in the order of its texts. */
export const valueNames = ({ messages }: Pick<PromptPart, 'messages'>): string[] => [
  ...new Set(
    messages.flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.type === 'value' ? [piece.name] : []))),
  ),
]
