import { decodeText } from '../formats/decode.ts'
import type { Egress } from '../kit/egress/client.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { sha256 } from '../kit/hash.ts'
import { parseStoredFiles } from '../sources/stored-files.ts'
import type { ParsedApi } from './operation.ts'
import { readApiOffThread } from './read/off-thread.ts'
import { PLACEHOLDER_ADDRESS } from './read/placeholder-address.ts'
import type { ReadOptions } from './read/operations.ts'

/** The source of a description: files that a flow contains, the first of them the description; or an address. */
export type DescriptionSource = { file: string } | { link: string }

export type LoadOptions = Omit<ReadOptions, 'link'> & {
  /** Whether other documents that the description refers to are fetched. */
  followLinks: boolean
}

export type LoadedApi = { name: string; api: ParsedApi }

type Cached = { loaded: Promise<LoadedApi>; at: number }

const MAX_CACHED = 32
/** Milliseconds until a description is fetched again from its address. */
const LINK_MS = 300_000
const MAX_BYTES = 20 * 2 ** 20
const MAX_DOCUMENTS = 200
const MAX_ROUNDS = 10
/** Total of all documents. */
const MAX_CHARACTERS = 60_000_000
const TIMEOUT_MS = 30_000
/** Milliseconds to fetch all documents that a description refers to. */
const LINKED_MS = 120_000

/**
 * A cache for each egress client. Without it, the description would be read again for each question to a flow.
 */
const cached = new WeakMap<Egress, Map<string, Cached>>()

/**
 * Loads and reads a description, or returns the cached result.
 *
 * @throws SluiceError `description_unusable`, `file_not_stored`, `egress_denied`
 */
export async function loadApi(
  source: DescriptionSource,
  options: LoadOptions,
  egress: Egress,
): Promise<LoadedApi> {
  const known = cached.get(egress) ?? new Map<string, Cached>()
  cached.set(egress, known)
  const key = sha256(JSON.stringify([source, options]))
  const found = known.get(key)
  if (found && ('file' in source || performance.now() - found.at < LINK_MS)) return found.loaded
  const loaded = load(source, options, egress).catch((error: unknown) => {
    // If the address cannot be read now, the previous result is used.
    if (found) return found.loaded
    throw error
  })
  known.delete(key)
  known.set(key, { loaded, at: performance.now() })
  const [oldest] = known.keys()
  if (known.size > MAX_CACHED && oldest !== undefined) known.delete(oldest)
  loaded.catch(() => known.delete(key))
  return loaded
}

async function load(source: DescriptionSource, options: LoadOptions, egress: Egress): Promise<LoadedApi> {
  const { followLinks, ...read } = options
  const opened = 'link' in source ? await openLink(source.link, egress) : await openFiles(source.file)
  const refuse = (error: unknown) =>
    error instanceof SluiceError
      ? error
      : new SluiceError(
          'description_unusable',
          { file: opened.name, reason: reasonOf(error) },
          { cause: error },
        )
  try {
    const link = 'link' in source ? { link: source.link } : {}
    return { name: opened.name, api: await readAll(opened.texts, { ...read, ...link }, followLinks, egress) }
  } catch (error) {
    throw refuse(error)
  }
}

/**
 * Reads a description, fetches the documents that it refers to, and reads it again, until all documents that may be
 * fetched are loaded.
 */
async function readAll(
  given: Record<string, string>,
  options: ReadOptions,
  followLinks: boolean,
  egress: Egress,
) {
  const texts = { ...given }
  const until = AbortSignal.timeout(LINKED_MS)
  const isFull = () => Object.values(texts).reduce((sum, { length }) => sum + length, 0) > MAX_CHARACTERS
  const failed = new Set<string>()
  for (let round = 0; ; round++) {
    const api = await readApiOffThread(texts, options)
    const wanted = api.missing.filter(
      (address) => /^https?:/i.test(address) && !failed.has(address) && texts[address] === undefined,
    )
    const room = MAX_DOCUMENTS - Object.keys(texts).length
    if (!followLinks || wanted.length === 0 || round === MAX_ROUNDS || room <= 0) return api
    for (const address of wanted.slice(0, room)) {
      try {
        if (isFull()) throw new Error('the documents are too large in total')
        texts[address] = await fetchText(address, egress, until)
      } catch {
        // The operations that need the document report it.
        failed.add(address)
      }
    }
  }
}

type Opened = { name: string; texts: Record<string, string> }

async function openLink(link: string, egress: Egress): Promise<Opened> {
  try {
    return { name: shownLink(link), texts: { [link]: await fetchText(link, egress) } }
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw new SluiceError(
      'description_unusable',
      { file: shownLink(link), reason: reasonOf(error) },
      { cause: error },
    )
  }
}

/** Without the query, which may contain a key. */
const shownLink = (link: string) => link.split('?', 1)[0]!

async function fetchText(address: string, egress: Egress, until?: AbortSignal): Promise<string> {
  const get = egress.limited({ responseBytes: MAX_BYTES, headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS })
  const headers = { accept: 'application/json, application/yaml, */*' }
  const late = AbortSignal.timeout(2 * TIMEOUT_MS)
  const response = await get(address, { headers, signal: until ? AbortSignal.any([until, late]) : late })
  if (response.ok) return decodeText(new Uint8Array(await response.arrayBuffer()), undefined)
  await response.body?.cancel()
  throw new Error(`the server answers ${response.status}`)
}

/** Further files have the addresses by which the description refers to them: their names. */
async function openFiles(value: string): Promise<Opened> {
  const files = parseStoredFiles(value, 'openapi.yaml')
  const texts: Record<string, string> = {}
  for (const [index, { name, base64 }] of files.entries()) {
    if (base64 === undefined) throw new SluiceError('file_not_stored', { file: name })
    const address = index === 0 ? PLACEHOLDER_ADDRESS : new URL(encodeURI(name), PLACEHOLDER_ADDRESS).href
    texts[address] = await decodeText(Buffer.from(base64, 'base64'), undefined)
  }
  return { name: files[0]?.name ?? 'openapi.yaml', texts }
}
