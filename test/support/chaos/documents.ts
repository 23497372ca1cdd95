import { sha256 } from '../../../src/kit/hash.ts'

/** The documents of a flow, which change with each version. */
export const DOCUMENTS = ['a.txt', 'b.txt'] as const

/** Each line becomes a chunk. */
export const LINES = 6
export const CHUNK_SIZE = 80

/** Of three lines about one changes from a version to the next; one always does. */
const changes = (flow: number, document: string, line: number, version: number): boolean =>
  version === 1 ||
  (document === DOCUMENTS[0] && line === version % LINES) ||
  Number.parseInt(sha256(`${flow} ${document} ${line} ${version}`).slice(0, 6), 16) % 3 === 0

/** The lines of a document in a version, each with the version in which it came. No two versions of a line are equal. */
function linesOf(flow: number, document: string, version: number): { text: string; since: number }[] {
  return Array.from({ length: LINES }, (_, line) => {
    let since = version
    while (!changes(flow, document, line, since)) since--
    return {
      text: `Flow ${flow}, document ${document}, line ${line}, as it is since version ${since}.`,
      since,
    }
  })
}

/** The files of a version. */
export const filesOf = (flow: number, version: number): Record<string, string> =>
  Object.fromEntries(
    DOCUMENTS.map((name) => [
      name,
      linesOf(flow, name, version)
        .map(({ text }) => text)
        .join('\n'),
    ]),
  )

/** The texts of all chunks of a version, sorted, with the version in which each came. */
export const chunksOf = (flow: number, version: number): { text: string; since: number }[] =>
  DOCUMENTS.flatMap((name) => linesOf(flow, name, version)).toSorted((a, b) => (a.text < b.text ? -1 : 1))
