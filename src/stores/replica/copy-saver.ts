import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { FollowedIndexes } from '../../db/postgres/index-changes.ts'
import type { MadeCopy, SavedFiles } from './saved-files.ts'

/** When copies of indexes are saved for other members. */
export type CopyRules = {
  /** Indexes with fewer chunks are copied in about the time that a fetch takes. */
  leastChunks: number
  /** How long an index must not have changed, in milliseconds. */
  quietMs: number
  /** The least time from one copy of an index to the next, in milliseconds. */
  intervalMs: number
}

export const COPY_RULES: CopyRules = { leastChunks: 10_000, quietMs: 5000, intervalMs: 600_000 }

/** A copy is saved where one chunk in so many was staged or removed since the last. */
const CHANGED_SHARE = 20

/** After how many milliseconds a copy is tried again that could not be saved. */
const AGAIN_MS = 600_000

/** The same, at first, for one that could not be made just now, as where its index was being changed. Then twice as long each time. */
const SOON_MS = 200

type SaverParts = {
  origin: Pick<FollowedIndexes, 'state'>
  /** Where copies are made before they are saved. */
  folder: string
  files: SavedFiles
  rules: CopyRules
  /** Makes a copy of an index in a new folder; undefined where it changes just now. */
  exportTo(indexId: number, folder: string, signal: AbortSignal): Promise<MadeCopy | undefined>
  noteSaved(facts: { index: number; bytes: number; ms: number }): void
  noteFailure(error: unknown): void
}

/** Saves copies of indexes in the background, one at a time, where much has changed since the last one. */
export class CopySaver {
  readonly #parts: SaverParts
  readonly #planned = new Map<number, NodeJS.Timeout>()
  /** The next pause of each index whose copy could not be made just now. */
  readonly #pauses = new Map<number, number>()
  #work: Promise<void> = Promise.resolve()
  readonly #ending = new AbortController()

  constructor(parts: SaverParts) {
    this.#parts = parts
    rmSync(parts.folder, { recursive: true, force: true })
  }

  /** An index has changed here, or is here. */
  consider(indexId: number, delayMs = this.#parts.rules.quietMs): void {
    if (this.#ending.signal.aborted) return
    clearTimeout(this.#planned.get(indexId))
    const save = () => {
      this.#planned.delete(indexId)
      this.#work = this.#work.then(() => this.#save(indexId))
    }
    this.#planned.set(indexId, setTimeout(save, delayMs).unref())
  }

  /** Ends the copy that is being saved, and begins no other. */
  async close(): Promise<void> {
    this.#ending.abort()
    for (const timer of this.#planned.values()) clearTimeout(timer)
    await this.#work
  }

  async #save(indexId: number): Promise<void> {
    const { files, folder, noteSaved, noteFailure } = this.#parts
    if (this.#ending.signal.aborted) return
    try {
      const wait = await this.#waitFor(indexId)
      if (wait === undefined) return void this.#pauses.delete(indexId)
      if (wait > 0) return this.consider(indexId, wait)
      const begun = performance.now()
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const { signal } = this.#ending
      const make = () => this.#parts.exportTo(indexId, path.join(folder, `${indexId}`), signal)
      const bytes = await files.save(indexId, make, signal)
      if (bytes === undefined) return this.#considerSoon(indexId)
      this.#pauses.delete(indexId)
      noteSaved({ index: indexId, bytes, ms: Math.round(performance.now() - begun) })
      await files.sweep()
    } catch (error) {
      if (this.#ending.signal.aborted) return
      noteFailure(error)
      this.consider(indexId, AGAIN_MS)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  #considerSoon(indexId: number): void {
    const pause = this.#pauses.get(indexId) ?? Math.max(SOON_MS, this.#parts.rules.quietMs)
    this.#pauses.set(indexId, Math.min(2 * pause, AGAIN_MS))
    this.consider(indexId, pause)
  }

  /** After how many milliseconds a copy is due; undefined for never. */
  async #waitFor(indexId: number): Promise<number | undefined> {
    const { origin, files, rules } = this.#parts
    const state = await origin.state(indexId)
    if (!state?.isLive || !state.run || state.chunks < rules.leastChunks) return undefined
    const newest = await files.newest(indexId)
    if (newest && !(await files.hasChanged(newest, Math.ceil(state.chunks / CHANGED_SHARE)))) return undefined
    const age = await files.age(indexId)
    return age === undefined ? 0 : Math.max(0, rules.intervalMs - age * 1000)
  }
}
