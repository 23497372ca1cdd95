import type { Loader } from '../contract/loader.ts'
import type { FileType } from '../contract/file-parser.ts'
import type { SourceLoads } from '../contract/source-load.ts'
import type { StoredLoad } from '../flow/compare-load-settings.ts'
import type { PlannedLoad } from '../flow/plan-store.ts'
import { FILE_TYPE_FACTS } from '../formats/file-types.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson, type Json, type JsonObject } from '../kit/json.ts'
import type { ReadableItem } from './run-items.ts'

/** What is stored of a request that changed how its documents are loaded. */
export type LoadRequest = { overrides?: JsonObject; addMetadata?: JsonObject }

/** Collects with which settings the sources of a run are loaded, for its publication. */
export class RunLoads {
  readonly #loads: ReadonlyMap<Loader, PlannedLoad>
  readonly #addMetadata: JsonObject
  readonly #settings = new Map<string, { hash: string; content: string }>()
  readonly #sources: SourceLoads['sources'] = []

  /** @param loads the settings of each loader of the run */
  constructor(loads: ReadonlyMap<Loader, PlannedLoad> = new Map(), addMetadata: JsonObject = {}) {
    this.#loads = loads
    this.#addMetadata = addMetadata
  }

  /** @param hasUnreadPages whether pages of its file could not be read: they may be, once the reader has what it lacks */
  note(source: string, { loader, item, finds, again }: ReadableItem, hasUnreadPages: boolean): void {
    const load = again ? again.load : this.#loads.get(loader)
    if (!load) return
    const { type, variant = null } = item.file ?? {}
    const stored: StoredLoad = {
      ...load.settings,
      finds: finds === true,
      ...(type
        ? { reader: { type, ...readerOf(type), ...(hasUnreadPages ? { unread: variant } : {}) } }
        : {}),
    }
    const content = canonicalJson(stored as unknown as Json)
    const settings = this.#settings.get(content) ?? { hash: fingerprint(content), content }
    this.#settings.set(content, settings)
    const request = requestOf(load.overrides, again ? again.addMetadata : this.#addMetadata)
    this.#sources.push({ source, settings: settings.hash, request })
  }

  get all(): SourceLoads {
    return { settings: [...this.#settings.values()], sources: this.#sources }
  }
}

const readerOf = (type: FileType) => ({ revision: FILE_TYPE_FACTS[type].revision })

function requestOf(overrides: JsonObject, addMetadata: JsonObject): string | null {
  const request: LoadRequest = {
    ...(isEmpty(overrides) ? {} : { overrides }),
    ...(isEmpty(addMetadata) ? {} : { addMetadata }),
  }
  return isEmpty(request) ? null : canonicalJson(request as JsonObject)
}

const isEmpty = (object: object) => Object.keys(object).length === 0
