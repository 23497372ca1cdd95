/** The first table in the query, which names its rows. */
export const firstTableIn = (query: string): string =>
  /\bfrom\s+(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([\p{L}\w.]+))/iu.exec(query)?.slice(1).find(Boolean) ??
  'query'

const SELECT =
  /^(?:\s|\(|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*(?!!)[\s\S]*?\*\/)*(?:select|with|values|table)\b/i

/** MySQL writes such a result to a file of its own, in a transaction that only reads too. No name of a column has to be one of these. */
const TO_FILE = /\b(?:outfile|dumpfile)\b/i

/** Why a statement is not run; undefined for one that only reads. The server refuses the rest in a transaction that only reads. */
export function whyNotRead(query: string): string | undefined {
  if (!SELECT.test(query)) return 'the query is not a SELECT'
  return TO_FILE.test(query) ? 'the query writes a file (OUTFILE, DUMPFILE)' : undefined
}
