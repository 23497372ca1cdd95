import { type CompoundFolder, writeCompound } from './compound-writer.ts'

/** A mail as Outlook saves it; `html` and the texts of `ansi` are bytes in the code page. */
export type OutlookMail = {
  subject?: string
  from?: [name: string, address: string]
  to?: [name: string, address: string][]
  cc?: [name: string, address: string][]
  sent?: Date
  messageId?: string
  messageClass?: string
  body?: string
  html?: Uint8Array
  /** Packed as [MS-OXRTFCP] says. */
  rtf?: Uint8Array
  codePage?: number
  attachments?: { name: string; mediaType?: string; content: Uint8Array | OutlookMail }[]
}

/** Writes a mail in Outlook's format ([MS-OXMSG]). */
export const writeMsg = (mail: OutlookMail): Buffer => writeCompound(folderOf(mail, 32))

function folderOf(mail: OutlookMail, headerBytes: number): CompoundFolder {
  const sheet = new Sheet(headerBytes)
  sheet.text(0x001a, mail.messageClass ?? 'IPM.Note')
  sheet.text(0x0037, mail.subject)
  sheet.text(0x0042, mail.from?.[0])
  sheet.text(0x5d02, mail.from?.[1])
  sheet.text(0x1000, mail.body)
  sheet.text(0x1035, mail.messageId)
  if (mail.html) sheet.bytes(0x1013, mail.html)
  if (mail.rtf) sheet.bytes(0x1009, mail.rtf)
  if (mail.codePage !== undefined) {
    sheet.long(0x3fde, mail.codePage)
    sheet.long(0x3ffd, mail.codePage)
  }
  if (mail.sent) sheet.time(0x0039, mail.sent)
  const folder: CompoundFolder = {}
  const recipients = [
    ...(mail.to ?? []).map((one) => [1, ...one] as const),
    ...(mail.cc ?? []).map((one) => [2, ...one] as const),
  ]
  for (const [index, [type, name, address]] of recipients.entries()) {
    const row = new Sheet(8)
    row.long(0x0c15, type)
    row.text(0x3001, name)
    row.text(0x39fe, address)
    folder[`__recip_version1.0_#${number(index)}`] = row.folder()
  }
  for (const [index, { name, mediaType, content }] of (mail.attachments ?? []).entries()) {
    const row = new Sheet(8)
    row.text(0x3707, name)
    row.text(0x370e, mediaType)
    const isMail = !(content instanceof Uint8Array)
    row.long(0x3705, isMail ? 5 : 1)
    if (!isMail) row.bytes(0x3701, content)
    folder[`__attach_version1.0_#${number(index)}`] = {
      ...row.folder(),
      ...(isMail ? { '__substg1.0_3701000D': folderOf(content, 24) } : {}),
    }
  }
  const none = Buffer.alloc(0)
  const names = { '__substg1.0_00020102': none, '__substg1.0_00030102': none, '__substg1.0_00040102': none }
  return { ...sheet.folder(), '__nameid_version1.0': names, ...folder }
}

class Sheet {
  readonly #fixed: Buffer[]
  readonly #streams: Record<string, Uint8Array> = {}

  constructor(headerBytes: number) {
    this.#fixed = [Buffer.alloc(headerBytes)]
  }

  text(id: number, value: string | undefined): void {
    if (value === undefined) return
    const bytes = Buffer.from(value, 'utf16le')
    this.#streams[`__substg1.0_${hex(id)}001F`] = bytes
    this.#row(id, 0x001f, bytes.length + 2, 0)
  }

  bytes(id: number, value: Uint8Array): void {
    this.#streams[`__substg1.0_${hex(id)}0102`] = value
    this.#row(id, 0x0102, value.length, 0)
  }

  long(id: number, value: number): void {
    this.#row(id, 0x0003, value, 0)
  }

  time(id: number, value: Date): void {
    const ticks = (BigInt(value.getTime()) + 11_644_473_600_000n) * 10_000n
    this.#row(id, 0x0040, Number(ticks & 0xffffffffn), Number(ticks >> 32n))
  }

  folder(): CompoundFolder {
    return { '__properties_version1.0': Buffer.concat(this.#fixed), ...this.#streams }
  }

  #row(id: number, type: number, low: number, high: number): void {
    const row = Buffer.alloc(16)
    row.writeUInt16LE(type, 0)
    row.writeUInt16LE(id, 2)
    row.writeUInt32LE(6, 4)
    row.writeUInt32LE(low, 8)
    row.writeUInt32LE(high, 12)
    this.#fixed.push(row)
  }
}

const hex = (value: number): string => value.toString(16).padStart(4, '0').toUpperCase()
const number = (value: number): string => value.toString(16).padStart(8, '0').toUpperCase()
