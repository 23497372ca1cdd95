/** The first bytes of a response body; the rest is not read. */
export async function firstBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(pieces).subarray(0, maxBytes)
}

/** The character set in a content type, in lower case. */
export const charsetOf = (contentType: string): string | undefined =>
  /charset\s*=\s*["']?([\w:-]+)/i.exec(contentType)?.[1]?.toLowerCase()
