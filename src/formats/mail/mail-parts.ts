import { once } from 'node:events'
import { pipeline, Readable, type Transform } from 'node:stream'
import { type MimeNode, Splitter } from '@zone-eu/mailsplit'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { FileLimits } from '../limits.ts'
import type { InsideFiles } from '../reader.ts'

type Headers = Exclude<MimeNode['headers'], false>

/** A part of a mail that has no parts itself, decoded from its transfer encoding. */
export type MailPart = {
  /** Whether it is text of the mail; else it is a file. */
  isText: boolean
  /** In lower case, without parameters. */
  mediaType: string
  /** As its headers name it. */
  filename: string | undefined
  charset: string | undefined
  /** How lines of the text are wrapped (RFC 3676). */
  flowed: 'no' | 'yes' | 'deleteSpace'
  /** Equal for parts that say the same in several ways: the multipart/alternative around them. */
  alternative: MimeNode | undefined
  bytes: Buffer
  /** Bytes that were not held, because of a limit. */
  cut: number
}

export type MailParts = {
  headers: Headers
  parts: MailPart[]
  /** Files that were not held, because there are too many. */
  filesNotHeld: number
  /** The multipart types in it. */
  multiparts: ReadonlySet<string>
}

/**
 * Cuts a mail into its parts while it arrives. Files are held as long as `inside` has room for them; of a text the
 * first bytes.
 *
 * @throws SluiceError `file_unreadable` for bytes without headers, `file_over_limit`
 */
export async function mailParts(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  name: string,
  limits: FileLimits,
  inside: InsideFiles,
): Promise<MailParts> {
  const splitter = new Splitter({
    ignoreEmbedded: true,
    maxHeadSize: limits.mailHeaderBytes,
    maxChildNodes: limits.mailParts,
  })
  const collector = new Collector(limits, inside)
  try {
    // errors arrive at the loop; without a callback they would end the process
    for await (const chunk of pipeline(Readable.from(pieces), splitter, () => {})) {
      if (chunk.type === 'node') await collector.open(chunk)
      else collector.add(chunk.type, chunk.value)
    }
    await collector.close()
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'EMAXLEN'
    if (!isTooLong) throw error
    const reason = /child nodes/.test(reasonOf(error))
      ? `it has more than ${limits.mailParts} parts`
      : `the header of one of its parts has more than ${limits.mailHeaderBytes} bytes`
    throw new SluiceError('file_over_limit', { file: name, reason })
  }
  const { root, parts, filesNotHeld, multiparts } = collector
  const headers = root?.headers || undefined
  if (!headers?.getList().some(({ line }) => /^[!-9;-~]+[ \t]*:/.test(line)))
    throw new SluiceError('file_unreadable', { file: name, reason: 'it is not a mail: it has no headers' })
  const found = { headers, parts, filesNotHeld, multiparts }
  return parts.length === 0 && collector.loose.length > 0
    ? withoutBoundary(found, collector, name, limits, inside)
    : found
}

/** A mail whose boundary does not occur in it: another one that does is taken, else all of it is one text. */
async function withoutBoundary(
  found: MailParts,
  { loose }: Collector,
  name: string,
  limits: FileLimits,
  inside: InsideFiles,
): Promise<MailParts> {
  const text = Buffer.concat(loose)
  const boundary = /^--([^\s"](?:[^\r\n"]{0,68}[^\s"])?)[ \t]*\r?\nContent-/im.exec(
    text.toString('latin1'),
  )?.[1]
  if (boundary !== undefined) {
    const header = Buffer.from(`Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n`)
    const again = await mailParts([header, text], name, limits, inside)
    if (again.parts.length > 0) return { ...again, headers: found.headers }
  }
  return { ...found, parts: [{ ...PLAIN, bytes: text }] }
}

const PLAIN: MailPart = {
  isText: true,
  mediaType: 'text/plain',
  filename: undefined,
  charset: undefined,
  flowed: 'no',
  alternative: undefined,
  bytes: Buffer.alloc(0),
  cut: 0,
}

class Collector {
  root: MimeNode | undefined
  readonly parts: MailPart[] = []
  filesNotHeld = 0
  readonly multiparts = new Set<string>()
  /** What stands between parts, while there are none. */
  loose: Buffer[] = []
  readonly #limits: FileLimits
  readonly #inside: InsideFiles
  #looseBytes = 0
  #open: { part: MailPart; decoder: Transform; pieces: Buffer[]; most: number; held: number } | undefined

  constructor(limits: FileLimits, inside: InsideFiles) {
    this.#limits = limits
    this.#inside = inside
  }

  async open(node: MimeNode): Promise<void> {
    await this.close()
    this.root ??= node
    if (node.multipart) {
      this.multiparts.add(node.multipart)
      return
    }
    const part = partOf(node, this.parts.length === 0)
    const most = part.isText ? this.#limits.mailTextBytes : this.#inside.free()
    if (most === undefined) {
      this.filesNotHeld++
      return
    }
    const open = { part, decoder: node.getDecoder(), pieces: [] as Buffer[], most, held: 0 }
    open.decoder.on('data', (bytes: Buffer) => {
      const kept = bytes.subarray(0, Math.max(0, open.most - open.held))
      if (kept.length > 0) open.pieces.push(kept)
      open.held += kept.length
      part.cut += bytes.length - kept.length
    })
    this.#open = open
  }

  add(type: 'body' | 'data', value: Buffer): void {
    if (type === 'body') this.#open?.decoder.write(value)
    else if (this.parts.length === 0 && !this.#open && this.#looseBytes < this.#limits.mailTextBytes) {
      this.#looseBytes += value.length
      this.loose.push(value)
    }
  }

  async close(): Promise<void> {
    const open = this.#open
    if (!open) return
    this.#open = undefined
    const ended = once(open.decoder, 'end')
    open.decoder.end()
    await ended
    const { part } = open
    part.bytes = Buffer.concat(open.pieces)
    if (!part.isText) this.#inside.take(part.bytes.length)
    this.parts.push(part)
    this.loose = []
  }
}

function partOf(node: MimeNode, isFirst: boolean): MailPart {
  const mediaType = node.contentType || 'text/plain'
  const isBody = mediaType === 'text/plain' || mediaType === 'text/html'
  return {
    isText: isBody && node.disposition !== 'attachment' && (isFirst || !node.filename),
    mediaType,
    filename: node.filename || undefined,
    charset: node.charset || undefined,
    flowed: node.flowed ? (node.delSp ? 'deleteSpace' : 'yes') : 'no',
    alternative: alternativeAround(node),
    bytes: Buffer.alloc(0),
    cut: 0,
  }
}

/** The outermost multipart/alternative around a part. */
function alternativeAround(node: MimeNode): MimeNode | undefined {
  let found: MimeNode | undefined
  for (let outer = node.parentNode; outer; outer = outer.parentNode)
    if (outer.multipart === 'alternative') found = outer
  return found
}
