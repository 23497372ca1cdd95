import { readBaseURL } from '../../kit/provider/base-url.ts'

/**
 * The addresses of one server, or of the members of one cluster, with commas or blanks between them; each once. A comma within a password is
 * none: only what begins with http:// or https:// is another address.
 *
 * @throws Error with the reason, which may be shown to a client
 */
export function readBaseURLs(text: string): string[] {
  const pieces = text.trim().split(/(?<=[\s,])(?=https?:\/\/)/i)
  return [...new Set(pieces.map((piece) => readBaseURL(withoutComma(piece))))]
}

const withoutComma = (piece: string): string => {
  const trimmed = piece.trim()
  return trimmed.endsWith(',') ? trimmed.slice(0, -1).trim() : trimmed
}
