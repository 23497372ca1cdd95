/** The text of a page as the program for pages without text read it. `confidence`: from 0 to 1, of its words on the mean. */
export type ReadPage = { text: string; confidence: number }

/** The columns of a row: level, page, block, paragraph, line, word, four of its place, confidence, text. */
const [LEVEL, BLOCK, PARAGRAPH, LINE, CONFIDENCE, TEXT] = [0, 2, 3, 4, 10, 11]
const WORD = '5'

/** Reads the tab-separated values that tesseract writes: words in lines, paragraphs with an empty line between them. */
export function textOfTsv(tsv: Uint8Array): ReadPage {
  const lines: { paragraph: string; line: string; words: string[] }[] = []
  let sum = 0
  let letters = 0
  for (const row of new TextDecoder().decode(tsv).split('\n')) {
    const cells = row.split('\t')
    const word = cells[TEXT]?.trim()
    if (cells[LEVEL] !== WORD || !word) continue
    const paragraph = `${cells[BLOCK]} ${cells[PARAGRAPH]}`
    const line = `${paragraph} ${cells[LINE]}`
    const last = lines.at(-1)
    if (last?.line === line) last.words.push(word)
    else lines.push({ paragraph, line, words: [word] })
    const confidence = Number(cells[CONFIDENCE])
    if (Number.isFinite(confidence)) sum += Math.min(Math.max(confidence, 0), 100) * word.length
    letters += word.length
  }
  let text = ''
  for (const [at, { paragraph, words }] of lines.entries()) {
    if (at > 0) text += lines[at - 1]!.paragraph === paragraph ? '\n' : '\n\n'
    text += words.join(' ')
  }
  return { text, confidence: letters === 0 ? 0 : Math.round(sum / letters) / 100 }
}
