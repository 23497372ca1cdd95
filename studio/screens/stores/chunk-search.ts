/** The page of chunks in the address; absent for the first. */
export type ChunkSearch = { page?: number }

export const readChunkSearch = ({ page }: Record<string, unknown>): ChunkSearch =>
  Number.isInteger(page) && (page as number) > 1 ? { page: page as number } : {}
