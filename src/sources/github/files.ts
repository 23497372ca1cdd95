import { createHash } from 'node:crypto'
import path from 'node:path'
import type { LoaderItem } from '../../contract/loader.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fingerprint } from '../../kit/hash.ts'
import { canonicalJson, isObject, parseJson } from '../../kit/json.ts'
import { messageIn } from '../../kit/provider/answer.ts'
import { retryVerdict } from '../../kit/provider/failure.ts'
import { RefusedAnswer } from '../../kit/provider/refused-answer.ts'
import { retry } from '../../kit/retry.ts'
import { failingItem } from '../failing-item.ts'
import { type FileReadSettings, readersNow, readFileOnDisk } from '../file-item.ts'
import { withTemporaryFile } from '../temporary-file.ts'
import { type GithubRepository, inPath } from './repository.ts'

export type RepositoryOptions = {
  repository: GithubRepository
  /** Whether folders within are read too. */
  recursive: boolean
  /** Paths or patterns of files and folders that are left out: `docs`, `*.lock`. */
  ignored: readonly string[]
  /** How often a call that fails is repeated. */
  retries: number
  /** Called before the first request; undefined for a repository that everybody may read. */
  token(): Promise<string | undefined>
  reading: FileReadSettings
  scratch: string
  egress: Egress
}

/** A file of the list that GitHub answers. `sha`: of its bytes. */
type ListedFile = { name: string; sha: string }

const MAX_FILE_BYTES = 32 * 2 ** 20
const MAX_LIST_BYTES = 64 * 2 ** 20

/** Endings of files without a text: they are not fetched. */
const WITHOUT_TEXT = new Set(
  (
    '7z avi bin bmp bz2 class dll dmg dylib eot exe gif gz ico jar jpeg jpg lockb m4a mov mp3 mp4 o ogg otf png psd pyc so tar ' +
    'tgz tif tiff ttf wasm wav webm webp whl woff woff2 xz zip'
  ).split(' '),
)

/** The files of a branch as items, in the order of their names. Each is fetched when it is read, which those of the last load are not. */
export async function* repositoryItems(
  options: RepositoryOptions,
  signal: AbortSignal,
): AsyncGenerator<LoaderItem> {
  const { page } = options.repository
  try {
    const { files, truncated } = await listed(options, signal)
    const read = files.filter(({ name }) => !WITHOUT_TEXT.has(endingOf(name)))
    const readers = await readersNow(options.reading)
    for (const file of read) yield itemOf(file, options, readers)
    const others = files.length - read.length
    if (others > 0)
      yield noted(page, `${others} files without a text are left out: pictures, archives, programs`)
    if (truncated)
      throw new SluiceError('fetch_failed', {
        file: page,
        reason: 'it has more files than GitHub lists: read one folder of it, …/tree/BRANCH/FOLDER',
      })
  } catch (error) {
    signal.throwIfAborted()
    yield failingItem({ name: page, error: error as Error, discoversOthers: true })
  }
}

const endingOf = (name: string) => path.extname(name).slice(1).toLowerCase()

const noted = (name: string, note: string): LoaderItem => ({
  name,
  source: name,
  async *read() {
    yield { parts: [], notes: [note] }
  },
})

function itemOf(file: ListedFile, options: RepositoryOptions, readers: string): LoaderItem {
  const { repository, reading, scratch } = options
  const { page, branch } = repository
  return {
    name: file.name,
    source: file.name,
    fingerprint: fingerprint(canonicalJson([page, branch, file.sha, readers])),
    async *read(signal, password) {
      const bytes = await contentOf(file, options, signal)
      const facts = { name: file.name, size: bytes.length }
      const parse = (place: string) =>
        readFileOnDisk({ ...facts, path: place }, reading, { signal, password })
      for await (const batch of withTemporaryFile(scratch, file.name, bytes, parse)) {
        for (const part of batch.parts) part.metadata = { ...part.metadata, repository: page, branch }
        yield batch
      }
    },
  }
}

/** @throws SluiceError `fetch_failed` */
async function listed(
  options: RepositoryOptions,
  signal: AbortSignal,
): Promise<{ files: ListedFile[]; truncated: boolean }> {
  const { repository, recursive, ignored } = options
  const { owner, name, branch, folder, api } = repository
  const address = `${api}/repos/${inPath(owner)}/${inPath(name)}/git/trees/${encodeURIComponent(branch)}?recursive=1`
  const bytes = await fetched(
    { address, file: repository.page, accept: 'application/vnd.github+json', most: MAX_LIST_BYTES },
    options,
    signal,
  )
  const answer = parseJson(Buffer.from(bytes).toString('utf8'))
  if (!isObject(answer) || !Array.isArray(answer.tree))
    throw new SluiceError('fetch_failed', {
      file: repository.page,
      reason: 'its list of files cannot be read',
    })
  const start = folder === '' ? '' : `${folder}/`
  const files = answer.tree.flatMap((entry: unknown): ListedFile[] => {
    // A link (mode 120000) is a blob with a path, and a module of another repository no blob.
    if (!isObject(entry) || entry.type !== 'blob' || entry.mode === '120000') return []
    const { path: place, sha } = entry
    if (typeof place !== 'string' || typeof sha !== 'string' || !/^[0-9a-f]+$/.test(sha)) return []
    if (!place.startsWith(start)) return []
    if (!recursive && place.slice(start.length).includes('/')) return []
    return isIgnored(place, ignored) ? [] : [{ name: place, sha }]
  })
  return { files, truncated: answer.truncated === true }
}

/** As `.gitignore` does: a pattern without a slash is for every folder. */
function isIgnored(place: string, patterns: readonly string[]): boolean {
  return patterns.some((given) => {
    const pattern = given.trim().replace(/^\/|\/$/g, '')
    if (pattern === '') return false
    const names = pattern.includes('/') ? [] : place.split('/')
    return (
      path.posix.matchesGlob(place, pattern) ||
      path.posix.matchesGlob(place, `${pattern}/**`) ||
      names.some((name) => path.posix.matchesGlob(name, pattern))
    )
  })
}

/** With a token by the API; without one from where files are for everybody, which counts no calls. */
async function contentOf(
  { name, sha }: ListedFile,
  options: RepositoryOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { repository, token } = options
  const { owner, name: repo, api, files } = repository
  const asked = { file: name, most: MAX_FILE_BYTES }
  if (files !== undefined && (await token()) === undefined) {
    const address = `${files}/${inPath(name)}`
    const bytes = await fetched({ ...asked, address, accept: '*/*' }, options, signal)
    // That server keeps answers for minutes: they may be of an earlier commit.
    if (blobHash(bytes, sha) === sha) return bytes
  }
  const address = `${api}/repos/${inPath(owner)}/${inPath(repo)}/git/blobs/${sha}`
  return fetched({ ...asked, address, accept: 'application/vnd.github.raw+json' }, options, signal)
}

/** As git names the bytes of a file. @param like a name of the repository, which tells its hash */
const blobHash = (bytes: Uint8Array, like: string): string =>
  createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')

type Asked = { address: string; file: string; accept: string; most: number }

async function fetched(
  { address, file, accept, most }: Asked,
  { egress, token, retries }: RepositoryOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const key = await token()
  const fetch = egress.limited({ responseBytes: most })
  const headers = { accept, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
  const work = async () => {
    const response = await fetch(address, { headers, signal })
    if (response.ok) return response.bytes()
    throw new RefusedAnswer(response, (await response.text()).slice(0, 10_000))
  }
  try {
    return await retry(work, { attempts: retries + 1, verdict: retryVerdict, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RefusedAnswer)) throw error
    throw refusal(error, file, key !== undefined)
  }
}

/** What GitHub says; without a token it answers 404 for what only some may read. */
function refusal(
  { statusCode, responseBody, responseHeaders }: RefusedAnswer,
  file: string,
  hasKey: boolean,
) {
  const said = messageIn(responseBody)
  const spent = responseHeaders['x-ratelimit-remaining'] === '0' || statusCode === 429
  const reason = `the server answers ${statusCode}${said === undefined ? '' : `: ${said.slice(0, 200)}`}`
  const hint = spent
    ? 'Wait an hour, or give the node a credential: GitHub counts calls'
    : statusCode === 404 && !hasKey
      ? 'Check address and branch. A repository that not everybody may read needs a credential'
      : undefined
  return new SluiceError('fetch_failed', { file, reason, ...(hint === undefined ? {} : { hint }) })
}
