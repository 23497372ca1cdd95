import type { Connection } from './connection.ts'

/*
 * Finds the passage of an index that has a text, by the hash of the text. Hashes arrive in no order, so in one B-tree of ten
 * million each write would change one page a hash, 8 kB for 33 bytes. So there are three levels, each with its own range of
 * one B-tree. New hashes go to level 0, which stays small; from there they move on in slices, many to a page.
 */

const LEVELS = [0, 1, 2] as const

/** Passages with so many consecutive ids visit one slice of each level. */
const BLOCK = 1024

/**
 * How a level is divided by the first characters of the hashes, and how many hashes of a slice move on together. Level 0
 * then has up to 32,768 hashes (about 200 pages), level 1 up to 1,048,576; level 2 has the rest.
 */
const SLICES = { 0: { count: 16, moved: 2048 }, 1: { count: 512, moved: 2048 } }

/** The characters of base64url in the order in which SQLite compares them. */
const ALPHABET = [...'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz']

/** The first hash that a slice may have; above all hashes for the slice after the last. */
function startOf(slice: number, count: number): string {
  if (slice === 0) return ''
  if (slice === count) return '~'
  const pair = (slice * ALPHABET.length ** 2) / count
  return ALPHABET[Math.floor(pair / ALPHABET.length)]! + ALPHABET[pair % ALPHABET.length]!
}

/** The statements of one transaction or snapshot over the hashes of an index. */
export function passageHashes(connection: Connection, indexId: number) {
  const at = connection.prepare(
    'SELECT passage_id AS id FROM passage_hashes WHERE index_id = ? AND level = ? AND hash = ?',
  )
  const insert = connection.prepare(
    'INSERT INTO passage_hashes (index_id, level, hash, passage_id) VALUES (?, 0, ?, ?) ON CONFLICT DO NOTHING',
  )
  const highest = connection.get<{ level: number }>(
    'SELECT level FROM passage_hashes WHERE index_id = ? ORDER BY level DESC LIMIT 1',
    indexId,
  )
  const levels = LEVELS.slice(0, 1 + (highest?.level ?? 0))
  const higher = levels.slice(1)

  const findIn = (within: readonly number[], hash: string): number | undefined => {
    for (const level of within) {
      const found = at.get(indexId, level, hash) as { id: number } | undefined
      if (found) return found.id
    }
    return undefined
  }

  return {
    /** The id of the passage with a hash; undefined if there is none. */
    find: (hash: string): number | undefined => findIn(levels, hash),

    /**
     * Notes the id of a new passage. Returns false if the index has a passage with this hash.
     *
     * @param isNew whether it is certain that the index had none when these statements were made
     */
    add: (hash: string, passageId: number, isNew = false): boolean =>
      (isNew || findIn(higher, hash) === undefined) && insert.run(indexId, hash, passageId).changes === 1,

    /** Moves slices on after passages with ids from `first` to before `end` were added. */
    tend(first: number, end: number): void {
      for (let block = Math.ceil(first / BLOCK); block * BLOCK < end; block++)
        for (const level of [1, 0] as const) moveSlice(connection, indexId, level, block)
    },
  }
}

/** Moves the slice of a block to the next level, if it has enough hashes. */
function moveSlice(connection: Connection, indexId: number, level: 0 | 1, block: number): void {
  const { count, moved } = SLICES[level]
  const slice = block % count
  const range = [indexId, level, startOf(slice, count), startOf(slice + 1, count)]
  const within = 'index_id = ? AND level = ? AND hash >= ? AND hash < ?'
  const isFull = connection.get(
    `SELECT 1 FROM passage_hashes WHERE ${within} LIMIT 1 OFFSET ${moved - 1}`,
    ...range,
  )
  if (isFull) connection.run(`UPDATE passage_hashes SET level = level + 1 WHERE ${within}`, ...range)
}
