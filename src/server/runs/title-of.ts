/** The most characters of a title. */
const TITLE = 120

/** The beginning of a question, on one line. */
export function titleOf(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  return line.length > TITLE ? `${line.slice(0, TITLE)}…` : line
}
