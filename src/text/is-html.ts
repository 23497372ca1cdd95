const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

/** Whether a text is HTML: it begins with a tag, or has an end tag outside of markdown code. Takes linear time. */
export function isHtml(text: string): boolean {
  if (/^\s*<(?:!doctype\b|!--|[a-z])/i.test(text)) return true
  return text.includes('</') && /<\/[a-z][\w-]*\s*>/i.test(withoutCode(text))
}

/** A markdown text without code blocks and code spans. */
function withoutCode(text: string): string {
  const lines = text.split('\n')
  const fences = lines.map(fenceOf)
  const closing = longestAfter(fences)
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const fence = fences[at]
    const length = fence ? Math.min(fence.length, closing[fence.mark][at + 1]!) : 0
    if (!fence || length < 3) {
      kept.push(withoutSpans(lines[at]!))
      continue
    }
    do at++
    while (fences[at]?.mark !== fence.mark || fences[at]!.length < length)
    kept.push(withoutSpans(lines[at]!.slice(fences[at]!.indent + length)))
  }
  return kept.join('\n')
}

type Fence = { mark: '`' | '~'; length: number; indent: number }

/** The fence of a code block at the beginning of a line. */
function fenceOf(line: string): Fence | undefined {
  const found = FENCE.exec(line)?.[0]
  if (found === undefined) return undefined
  const marks = found.trimStart()
  return { mark: marks[0] === '~' ? '~' : '`', length: marks.length, indent: found.length - marks.length }
}

/**
 * For each line the longest fence of each mark from there on, 0 if there is none: it shows whether an earlier fence
 * is closed.
 */
function longestAfter(fences: readonly (Fence | undefined)[]): Record<Fence['mark'], Uint32Array> {
  const longest = { '`': new Uint32Array(fences.length + 1), '~': new Uint32Array(fences.length + 1) }
  for (let at = fences.length - 1; at >= 0; at--) {
    for (const mark of ['`', '~'] as const) {
      const own = fences[at]?.mark === mark ? fences[at]!.length : 0
      longest[mark][at] = Math.max(own, longest[mark][at + 1]!)
    }
  }
  return longest
}

function withoutSpans(line: string): string {
  let kept = ''
  let from = 0
  for (;;) {
    const opening = line.indexOf('`', from)
    const closing = opening < 0 ? -1 : line.indexOf('`', opening + 1)
    if (closing < 0) return kept + line.slice(from)
    kept += line.slice(from, opening)
    from = closing + 1
  }
}
