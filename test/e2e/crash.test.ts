import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { random } from '../../bench/support/prose.ts'
import type { Cleanup } from '../../src/contract/record-manager.ts'
import { type Database, openDatabase } from '../../src/db/sqlite/database.ts'
import { abandonOpenRuns } from '../../src/db/ledger/indexes.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { CrashChildren } from '../support/crash-children.ts'
import { VERSIONS } from '../support/crash-files.ts'
import {
  type BoundaryName,
  entriesOf,
  note,
  notingEmbedder,
  notingStore,
  STAGES,
} from '../support/crash-journal.ts'
import { load, uploadsOf } from '../support/loading.ts'
import { bonesOf, heldTexts, sightOf } from '../support/store-bones.ts'

/** CRASH_KILLS=50 for a longer run. */
const RANDOM_KILLS = Number(process.env.CRASH_KILLS ?? 8)
const CLEANUPS = ['incremental', 'full'] as const

const root = mkdtempSync(path.join(tmpdir(), 'sluice-crash-'))
const earlier = writeFolder('earlier', VERSIONS.earlier)
const later = writeFolder('later', VERSIONS.later)

/** Reads the files of all runs in this process; those that are killed have their own. */
const parser = createFileParser({ readable: [root], size: 1 })
const children = new CrashChildren(root, earlier)

after(async () => {
  await Promise.all([parser.close(), children.close()])
  rmSync(root, { recursive: true, force: true })
})

function writeFolder(name: string, files: Record<string, string>): string {
  const folder = path.join(root, name)
  mkdirSync(folder)
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text)
  return folder
}

/** A data directory, and beside it the journal of what was done to it. */
class Place {
  readonly data: string
  readonly journal: string

  constructor(name: string) {
    this.data = path.join(root, name)
    this.journal = `${this.data}.journal`
  }

  /** Opens the database as the platform does when it starts. */
  async #opened<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = openDatabase(this.data)
    try {
      await database.sql.write(abandonOpenRuns, undefined)
      return await work(database)
    } finally {
      await database.close()
    }
  }

  /** Runs an upsert to its end, and returns what readers see then and the rows of the database. */
  load(folder: string, cleanup: Cleanup) {
    return this.#opened(async (database) => {
      const store = notingStore(builtInStores(database).open('ours'), this.journal)
      const embedder = notingEmbedder(this.journal)
      await load({ store, embedder, parser, uploads: uploadsOf(folder), cleanup })
      return { sight: await sightOf(store, embedder.id), bones: bonesOf(database.file) }
    })
  }

  /** What readers see after a crash. Texts that have their vector are noted as staged: they may not be embedded again. */
  look() {
    return this.#opened(async (database) => {
      note(this.journal, { event: 'staged', hashes: heldTexts(database.file) })
      return sightOf(builtInStores(database).open('ours'), 'hash')
    })
  }

  copy(name: string): Place {
    const copy = new Place(name)
    cpSync(this.data, copy.data, { recursive: true })
    return copy
  }

  remove(): void {
    for (const entry of [this.data, this.journal]) rmSync(entry, { recursive: true, force: true })
  }
}

type End = Awaited<ReturnType<Place['load']>>

const base = new Place('base')
let old: End
/** The result of an undisturbed run. */
const undisturbed = new Map<Cleanup, End>()

before(async () => {
  old = await base.load(earlier, 'incremental')
  assert.equal(Object.keys(old.sight.sources).length, Object.keys(VERSIONS.earlier).length)
  assertNothingTwice(base)
  for (const cleanup of CLEANUPS) {
    const end = await base.copy(cleanup).load(later, cleanup)
    assertNoRemains(end)
    // An empty store that is given what should be there looks the same.
    const stays = cleanup === 'full' ? VERSIONS.later : { ...VERSIONS.earlier, ...VERSIONS.later }
    assert.deepEqual(
      end,
      await new Place(`${cleanup}-afresh`).load(writeFolder(`${cleanup}-files`, stays), cleanup),
    )
    undisturbed.set(cleanup, end)
  }
})

/** Each row of the database belongs to a chunk that readers see. */
function assertNoRemains({ sight, bones }: End): void {
  assert.deepEqual(sight.byMeaning, sight.byKeyword)
  const texts = [...new Set(bones.chunks.map(({ hash }) => hash))].toSorted()
  const { faults, unfinished, dead, passages, vectors, worded } = bones
  assert.deepEqual({ faults, unfinished, dead }, { faults: [], unfinished: [], dead: [] })
  for (const hashes of [passages, vectors, worded]) assert.deepEqual(Object.keys(hashes), texts)
}

/** Readers see all sources as they were before, or all as they are after; which of the two, if the journal has it. */
async function assertWhole(place: Place, cleanup: Cleanup): Promise<void> {
  const sight = await place.look()
  const published = entriesOf(place.journal).some(({ event }) => event === 'published')
  const isOld = !published && sight.byMeaning.join() === old.sight.byMeaning.join()
  assert.deepEqual(sight, isOld ? old.sight : undisturbed.get(cleanup)!.sight)
}

/** The same upsert, run to its end, leaves what an undisturbed one does. */
async function assertHeals(place: Place, cleanup: Cleanup): Promise<void> {
  assert.deepEqual(await place.load(later, cleanup), undisturbed.get(cleanup))
  assertNothingTwice(place)
}

/** No text was embedded that was staged before; what was under way when a run died may be. */
function assertNothingTwice(place: Place): void {
  const kept = new Set<string>()
  for (const entry of entriesOf(place.journal)) {
    if (entry.event === 'staged') for (const hash of entry.hashes) kept.add(hash)
    if (entry.event === 'embedded')
      assert.deepEqual(
        entry.hashes.filter((hash) => kept.has(hash)),
        [],
      )
  }
}

const order = ({ data, journal }: Place, cleanup: Cleanup) => ({ data, journal, files: later, cleanup })

const BOUNDARIES = STAGES.flatMap((stage) => [`before ${stage}`, `after ${stage}`] as const)

/** A run embeds and stages in several calls, and publishes and sweeps in one. Each cleanup has one of them. */
const timesOf = (boundary: BoundaryName): number[] => (/embed|stage/.test(boundary) ? [1, 4] : [1])

for (const boundary of BOUNDARIES)
  test(`an upsert that dies ${boundary} is seen whole or not at all, and heals [upsert:atomic, upsert:records]`, async () => {
    for (const times of timesOf(boundary)) {
      const cleanup = CLEANUPS[times % CLEANUPS.length]!
      const place = base.copy(`${boundary}-${times}`)
      const { killed } = await children.run({ ...order(place, cleanup), dieAt: { boundary, times } })
      assert.equal(killed, true)
      await assertWhole(place, cleanup)
      await assertHeals(place, cleanup)
      place.remove()
    }
  })

test(`an upsert that is killed ${RANDOM_KILLS} times at random instants is seen whole or not at all, and heals [upsert:atomic, upsert:idempotent]`, async (t) => {
  const seed = (Date.now() % 2_000_000_000) + 1
  t.diagnostic(`seed ${seed}`)
  const next = random(seed)
  const measured = base.copy('measured')
  let { lived } = await children.run(order(measured, 'full'))
  measured.remove()
  let kills = 0
  for (let round = 0; kills < RANDOM_KILLS; round++) {
    const cleanup = CLEANUPS[round % CLEANUPS.length]!
    const place = base.copy(`round-${round}`)
    // Some are killed once more, and once more, before they are let to run to their end.
    do {
      const instant = ((kills + next()) / RANDOM_KILLS) * lived
      const { killed } = await children.run(order(place, cleanup), instant)
      if (killed) kills++
      else lived *= 0.95
      await assertWhole(place, cleanup)
    } while (kills < RANDOM_KILLS && next() < 0.4)
    await assertHeals(place, cleanup)
    place.remove()
  }
  t.diagnostic(`the last after ${Math.round(lived)} ms`)
})
