/** The first table in the query, which names its rows. */
export const firstTableIn = (query: string): string =>
  /\bfrom\s+(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}\w.]+))/iu.exec(query)?.slice(1).find(Boolean) ??
  'query'

const SELECT = /^(?:select|with|values|table)\b/i
const BLANK = /[\s(]/

/** A query from its first word on: brackets and comments before it are left out, but not `/*!`, of which MySQL reads what is in it. */
function fromFirstWord(query: string): string {
  for (let at = 0; at < query.length; ) {
    if (BLANK.test(query[at]!)) at++
    else {
      const end = query.startsWith('--', at) || query[at] === '#' ? '\n' : '*/'
      if (end === '*/' && (!query.startsWith('/*', at) || query[at + 2] === '!')) return query.slice(at)
      const found = query.indexOf(end, at + (end === '*/' ? 2 : 1))
      if (found < 0) return ''
      at = found + end.length
    }
  }
  return ''
}

/** MySQL writes such a result to a file of its own, in a transaction that only reads too. No name of a column has to be one of these. */
const TO_FILE = /\b(?:outfile|dumpfile)\b/i

/** Why a statement is not run; undefined for one that only reads. The server refuses the rest in a transaction that only reads. */
export function whyNotRead(query: string): string | undefined {
  if (!SELECT.test(fromFirstWord(query))) return 'the query is not a SELECT'
  return TO_FILE.test(query) ? 'the query writes a file (OUTFILE, DUMPFILE)' : undefined
}
