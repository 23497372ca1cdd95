import type { QuestionFiles } from '../../../server/questions.ts'

/** Has the browser save the files of an export, one after another. */
export function saveFiles({ corpus, queries, qrels }: QuestionFiles): void {
  for (const [name, text] of [
    ['corpus.jsonl', corpus],
    ['queries.jsonl', queries],
    ['qrels.tsv', qrels],
  ] as const) {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: address, download: name })
    link.click()
    // The download has begun by then; an address that is taken back at once may be too early.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }
}
