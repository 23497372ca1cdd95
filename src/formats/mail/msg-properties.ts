import { decodeText } from '../decode.ts'
import type { CompoundFolder } from '../compound-file.ts'

/** Bytes of a property that is a name or an address. */
const SHORT_BYTES = 64 * 1024

/** Types of properties, [MS-OXCDATA] 2.11.1. */
const TYPE = { long: 0x0003, time: 0x0040, text8: '001e', text16: '001f', binary: '0102' } as const

/** The properties of a mail, of one of its recipients or attachments ([MS-OXMSG] 2.4), by their numbers. */
export class MsgProperties {
  readonly #storage: CompoundFolder
  /** Values that are not streams: the low and the high half. */
  readonly #fixed = new Map<number, { type: number; low: number; high: number }>()
  /** Of texts that are not Unicode. */
  readonly #encoding: string

  /** @param headerBytes before the first property: 32 in a file, 24 in a mail inside, 8 elsewhere */
  constructor(storage: CompoundFolder, headerBytes: number, encoding?: string) {
    this.#storage = storage
    const stream = storage.stream('__properties_version1.0', SHORT_BYTES) ?? Buffer.alloc(0)
    for (let at = headerBytes; at + 16 <= stream.length; at += 16)
      this.#fixed.set(stream.readUInt16LE(at + 2), {
        type: stream.readUInt16LE(at),
        low: stream.readUInt32LE(at + 8),
        high: stream.readUInt32LE(at + 12),
      })
    this.#encoding = encoding ?? codePageName(this.long(0x3ffd) ?? this.long(0x3fde))
  }

  /** What texts are encoded in that are not Unicode. */
  get encoding(): string {
    return this.#encoding
  }

  long(id: number): number | undefined {
    const value = this.#fixed.get(id)
    return value?.type === TYPE.long ? value.low : undefined
  }

  /** Milliseconds since 1970. */
  time(id: number): number | undefined {
    const value = this.#fixed.get(id)
    if (value?.type !== TYPE.time) return undefined
    return (value.high * 2 ** 32 + value.low) / 10_000 - 11_644_473_600_000
  }

  async text(id: number, most = SHORT_BYTES): Promise<string> {
    const wide = this.#storage.stream(streamName(id, TYPE.text16), most)
    if (wide) return wide.toString('utf16le').replace(/\0+$/, '')
    const bytes = this.#storage.stream(streamName(id, TYPE.text8), most)
    return bytes ? (await decodeText(bytes, this.#encoding)).replace(/\0+$/, '') : ''
  }

  binary(id: number, most: number): Buffer | undefined {
    return this.#storage.stream(streamName(id, TYPE.binary), most)
  }

  /** Bytes of a property that is a stream, of whatever type. */
  sizeOf(id: number): number {
    const sizes = [TYPE.text16, TYPE.text8, TYPE.binary].map((type) =>
      this.#storage.sizeOf(streamName(id, type)),
    )
    return Math.max(0, ...sizes.map((size) => size ?? 0))
  }

  /** A property that is itself a storage: a mail inside. */
  storage(id: number): CompoundFolder | undefined {
    const name = streamName(id, '000d')
    return this.#storage.folders().find((storage) => storage.name === name)
  }
}

const streamName = (id: number, type: string): string =>
  `__substg1.0_${id.toString(16).padStart(4, '0')}${type}`

/** The encoding that a Windows code page stands for. */
export function codePageName(codePage: number | undefined): string {
  if (codePage === undefined || codePage === 0) return 'windows-1252'
  return NAMES.get(codePage) ?? (codePage > 1000 && codePage < 2000 ? `windows-${codePage}` : `cp${codePage}`)
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [20127, 'windows-1252'],
  [20866, 'koi8-r'],
  [20932, 'euc-jp'],
  [21866, 'koi8-u'],
  [28591, 'windows-1252'],
  ...Array.from({ length: 14 }, (_, n): [number, string] => [28592 + n, `iso-8859-${2 + n}`]),
  [50220, 'iso-2022-jp'],
  [50221, 'iso-2022-jp'],
  [51949, 'euc-kr'],
  [52936, 'gb2312'],
  [54936, 'gb18030'],
  [65001, 'utf-8'],
])
