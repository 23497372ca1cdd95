/** The size of chunks, in the unit of the splitter: UTF-16 code units, or tokens. */
export type ChunkSizes = {
  /** The maximum size of a chunk, at least 1. */
  chunkSize: number
  /** How much of the end of a chunk the next one may repeat; 0 means nothing. Smaller than `chunkSize`. */
  chunkOverlap: number
}

/** @throws RangeError with a message for the client if no splitter can work with these sizes */
export function checkChunkSizes({ chunkSize, chunkOverlap }: ChunkSizes): void {
  if (!Number.isInteger(chunkSize) || chunkSize < 1)
    throw new RangeError(`chunkSize must be a whole number of at least 1, received ${chunkSize}`)
  if (!Number.isInteger(chunkOverlap) || chunkOverlap < 0)
    throw new RangeError(`chunkOverlap must be a whole number of at least 0, received ${chunkOverlap}`)
  if (chunkOverlap >= chunkSize)
    throw new RangeError(
      `chunkOverlap must be smaller than chunkSize, received chunkOverlap ${chunkOverlap} with chunkSize ${chunkSize}`,
    )
}
