/** The beginning of an answer's body; what comes after it is not waited for. */
export async function firstBytes(response: Response, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length >= most) break
  }
  return Buffer.concat(pieces).subarray(0, most)
}

/** The character set that a content type names, in lower case. */
export const charsetOf = (contentType: string): string | undefined =>
  /charset\s*=\s*["']?([\w:-]+)/i.exec(contentType)?.[1]?.toLowerCase()
