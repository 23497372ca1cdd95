/**
 * Changes that no test can notice, by the changed line as `file: before → after`, each with the reason. They are left out
 * of the figures.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  'src/db/sqlite/run-writes.ts: if (rows.length < limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length)) → if (true) rows.push(...abandonedChunks(connection, indexId, limit - rows.length))':
    'with limit 0 the query finds nothing',
  'src/db/sqlite/run-writes.ts: if (rows.length < limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length)) → if (rows.length <= limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length))':
    'with limit 0 the query finds nothing',
  "src/db/sqlite/run-writes.ts: connection.get('SELECT 1 FROM chunks WHERE passage_id = ? LIMIT 1', passageId) === undefined → connection.get('SELECT 1 FROM chunks WHERE passage_id = ? LIMIT 1 + 1', passageId) === undefined":
    'get() takes the first row',
  'src/upsert/stager.ts: while (this.#held.chunks > 0 || this.#writes > 0) { → while (this.#held.chunks > 0 || this.#writes > (0 + 1)) {':
    'chunks are held until the end of their write',
  'src/db/postgres/sweep.ts: if (points.length === 0) return [] → if (false) return []':
    'of no points the query finds none',
  'src/db/postgres/publish.ts: if (stagedOf.size > 0) → if (stagedOf.size >= 0)':
    'with no names the statement changes nothing',
  'src/db/postgres/publish.ts: if (updatedSources.length > 0) → if (true)':
    'with no names the statement changes nothing',
  'src/db/postgres/publish.ts: if (facts.length > 0) → if (facts.length >= 0)':
    'with no facts the statement changes nothing',
  'src/keyword/tiers.ts: for (let least = 1; least < largest / 2; least *= fan) { → for (let least = 1; least <= largest / 2; least *= fan) {':
    'no segment of half the largest is merged with others',
  'src/keyword/tiers.ts: for (let least = 1; least < largest / 2; least *= fan) { → for (let least = 1; least < largest * 2; least *= fan) {':
    'no segment of half the largest is merged with others',
  'src/keyword/tiers.ts: for (let from = 0, to = 0; from < segments.length; from = to + 1) { → for (let from = 0, to = (0 + 1); from < segments.length; from = to + 1) {':
    'it is set before it is read',
  'src/keyword/tiers.ts: for (let from = 0, to = 0; from < segments.length; from = to + 1) { → for (let from = 0, to = 0; from <= segments.length; from = to + 1) {':
    'no segment begins there',
  'src/keyword/count-among.ts: for (; count >= BLOCK && left >= BLOCK && place < numbers.length; left -= BLOCK) { → for (; count >= BLOCK && left >= BLOCK && place <= numbers.length; left -= BLOCK) {':
    'without a number left nothing is counted',
  'src/keyword/count-among.ts: for (let passage = first - 1, gap = 0; gap < BLOCK; gap++) { → for (let passage = first - 1, gap = 0; gap <= BLOCK; gap++) {':
    'a number after the block is none of a passage',
  'src/keyword/top-passages.ts: for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) scores[8 * at + bit] = LEFT_OUT → for (let bit = 0; bit <= 8; bit++) if ((byte & (1 << bit)) !== 0) scores[8 * at + bit] = LEFT_OUT':
    'a byte has 8 bits',
  'src/keyword/top-passages.ts: for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) scores[8 * at + bit] = LEFT_OUT → for (let bit = 0; bit < (8 + 1); bit++) if ((byte & (1 << bit)) !== 0) scores[8 * at + bit] = LEFT_OUT':
    'a byte has 8 bits',
  'src/keyword/top-passages.ts: if (this.isFull) this.least = equal > 0 ? last : nextFloat(last) → if (this.isFull) this.least = equal >= 0 ? last : nextFloat(last)':
    'where no more equal ones are kept, those found with the last score are dropped',
  'src/keyword/top-passages.ts: bits[0]!++ → bits[0]!--':
    'where no more equal ones are kept, those found with the last score are dropped',
  'src/keyword/top-passages.ts: for (const score of tops) if (score >= least) all[length++] = score → for (const score of tops) if (true) all[length++] = score':
    'the higher ones come first, and a lower one raises nothing',
  'src/keyword/top-passages.ts: for (const { score } of this.#kept) if (score >= least) all[length++] = score → for (const { score } of this.#kept) if (true) all[length++] = score':
    'the higher ones come first, and a lower one raises nothing',
  'src/stores/replica/replica.ts: const CHUNKS_A_READ = 1000 → const CHUNKS_A_READ = (1000 + 1)':
    'how many chunks a read brings shows nowhere',
  'src/stores/replica/replica.ts: const RUNS_A_READ = 100 → const RUNS_A_READ = (100 + 1)':
    'how many runs a read brings shows nowhere',
  'src/stores/replica/replica.ts: files: { total: 0, done: 0, failed: 0, known: true }, → files: { total: (0 + 1), done: 0, failed: 0, known: true },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: files: { total: 0, done: 0, failed: 0, known: true }, → files: { total: 0, done: (0 + 1), failed: 0, known: true },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: files: { total: 0, done: 0, failed: 0, known: true }, → files: { total: 0, done: 0, failed: (0 + 1), known: true },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: files: { total: 0, done: 0, failed: 0, known: true }, → files: { total: 0, done: 0, failed: 0, known: false },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: chunks: { seen: 0, embedded: 0, written: 0, due: 0 }, → chunks: { seen: (0 + 1), embedded: 0, written: 0, due: 0 },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: chunks: { seen: 0, embedded: 0, written: 0, due: 0 }, → chunks: { seen: 0, embedded: (0 + 1), written: 0, due: 0 },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: chunks: { seen: 0, embedded: 0, written: 0, due: 0 }, → chunks: { seen: 0, embedded: 0, written: (0 + 1), due: 0 },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: chunks: { seen: 0, embedded: 0, written: 0, due: 0 }, → chunks: { seen: 0, embedded: 0, written: 0, due: (0 + 1) },':
    'of a receipt here only the key is read',
  'src/stores/replica/replica.ts: for (let chunks = await read({ born: 0, id: 0 }); chunks.length > 0; ) { → for (let chunks = await read({ born: (0 + 1), id: 0 }); chunks.length > 0; ) {':
    'runs and chunks are counted from 1',
  'src/stores/replica/replica.ts: for (let chunks = await read({ born: 0, id: 0 }); chunks.length > 0; ) { → for (let chunks = await read({ born: 0, id: (0 + 1) }); chunks.length > 0; ) {':
    'runs and chunks are counted from 1',
  'src/stores/replica/replica.ts: indexes.map(async (indexId) => ({ indexId, run: (await held(indexId))?.seq ?? 0 })), → indexes.map(async (indexId) => ({ indexId, run: (await held(indexId))?.seq ?? (0 + 1) })),':
    'an index here was published with a run',
  'src/stores/replica/replica.ts: const range = start === null || end === null ? undefined : { start, end } → const range = start === null && end === null ? undefined : { start, end }':
    'a chunk has both, or none',
  'src/keyword/top-passages.ts: if (byte !== 0) → if (true)': 'a byte of 0 has no bit',
}
