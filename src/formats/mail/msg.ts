import { stat } from 'node:fs/promises'
import { SluiceError } from '../../kit/errors.ts'
import { attachmentName, isPicture } from './attachment-name.ts'
import { type CompoundFolder, openCompoundFile } from '../compound-file.ts'
import { wholeBytes } from '../file-pieces.ts'
import { beyondNumber, beyondRoom } from '../inside-files.ts'
import type { FileLimits } from '../limits.ts'
import { unpackRtf } from './compressed-rtf.ts'
import { mailHtml, mailRtf } from './mail-body.ts'
import { mailDate, type MailHead, mailMetadata, mailText } from './mail-text.ts'
import { codePageName, MsgProperties } from './msg-properties.ts'
import type { ContainerReader, InsideFiles, ReaderItem } from '../reader.ts'

/** Numbers of properties, [MS-OXPROPS]. */
const ID = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representedName: 0x0042,
  representedAddress: 0x0065,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  displayName: 0x3001,
  address: 0x3003,
  attachData: 0x3701,
  attachShortName: 0x3704,
  attachLongName: 0x3707,
  attachMediaType: 0x370e,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  senderSmtp: 0x5d01,
  representedSmtp: 0x5d02,
} as const

/** Recipients whose addresses are read; others are not in the metadata anyway. */
const MOST_RECIPIENTS = 200

/**
 * Reads a mail that Outlook saved ([MS-OXMSG]), as eml.ts reads one: the same text, metadata and attachments.
 *
 * @throws SluiceError `file_unreadable`, `file_over_limit`
 */
export const readOutlookMail: ContainerReader = async function* (file, _options, limits, inside) {
  const size = 'path' in file ? (await stat(file.path)).size : file.bytes.length
  const bytes = await wholeBytes(file, size, limits)
  const root = openCompoundFile({ bytes, name: file.name })
  const properties = new MsgProperties(root, 32)
  if (properties.sizeOf(ID.messageClass) === 0)
    throw new SluiceError('file_unreadable', { file: file.name, reason: 'it is not an Outlook mail' })
  yield* readMessage(root, properties, limits, inside)
}

async function* readMessage(
  storage: CompoundFolder,
  properties: MsgProperties,
  limits: FileLimits,
  inside: InsideFiles,
): AsyncGenerator<ReaderItem> {
  const folders = storage.folders()
  const starting = (begin: string) =>
    folders
      .filter(({ name }) => name.startsWith(begin))
      .map((folder) => new MsgProperties(folder, 8, properties.encoding))
  const head = await headOf(properties, starting('__recip_version1.0_').slice(0, MOST_RECIPIENTS))
  const metadata = mailMetadata(head)
  const all = starting('__attach_version1.0_')
  const files = []
  for (const [index, attachment] of all.entries()) files.push(await fileOf(attachment, index + 1))
  const read = files.filter(({ name, mediaType }) => !isPicture(name, mediaType))
  const { text, told } = await textOf(properties, limits)
  const names = read.map(({ name }) => name)
  yield { pageContent: mailText(head, text, names), metadata, last: true }
  yield* told
  yield* protection(await properties.text(ID.messageClass))
  if (files.length > read.length) yield { dropped: { kind: 'picture', count: files.length - read.length } }

  let notRead = 0
  for (const { name, attachment } of read) {
    const free = inside.free()
    const size = attachment.sizeOf(ID.attachData)
    const mail = attachment.storage(ID.attachData)
    if (free === undefined) notRead++
    else if (mail) {
      inside.take(0)
      yield* inside.nested(name, (within) => readMessage(mail, new MsgProperties(mail, 24), limits, within))
    } else if (size > free) {
      yield* beyondRoom(name)
    } else {
      inside.take(size)
      const bytes = attachment.binary(ID.attachData, size) ?? Buffer.alloc(0)
      yield* inside.read({ name, bytes }, metadata)
    }
  }
  yield* beyondNumber(notRead, limits)
}

async function fileOf(attachment: MsgProperties, number: number) {
  const isMail = attachment.storage(ID.attachData) !== undefined
  const mediaType = isMail ? 'message/rfc822' : (await attachment.text(ID.attachMediaType)).toLowerCase()
  const given =
    (await attachment.text(ID.attachLongName)) ||
    (await attachment.text(ID.attachShortName)) ||
    (await attachment.text(ID.displayName))
  return { name: attachmentName(given || undefined, mediaType, number), mediaType, attachment }
}

async function headOf(properties: MsgProperties, recipients: readonly MsgProperties[]): Promise<MailHead> {
  const lists = { to: [] as string[], cc: [] as string[] }
  for (const recipient of recipients) {
    const list = ([undefined, lists.to, lists.cc] as const)[recipient.long(ID.recipientType) ?? 1]
    const address = (await recipient.text(ID.smtpAddress)) || (await recipient.text(ID.address))
    list?.push(named(await recipient.text(ID.displayName), address))
  }
  const sender =
    named(
      await properties.text(ID.representedName),
      (await properties.text(ID.representedSmtp)) || (await properties.text(ID.representedAddress)),
    ) ||
    named(
      await properties.text(ID.senderName),
      (await properties.text(ID.senderSmtp)) || (await properties.text(ID.senderAddress)),
    )
  const time = properties.time(ID.submitTime) ?? properties.time(ID.deliveryTime)
  return {
    subject: oneLine(await properties.text(ID.subject)),
    from: sender,
    to: lists.to.join(', ') || oneLine(await properties.text(ID.displayTo)),
    cc: lists.cc.join(', ') || oneLine(await properties.text(ID.displayCc)),
    date: time === undefined ? undefined : mailDate(time),
    messageId: oneLine(await properties.text(ID.messageId)),
  }
}

/** A name with its address. Addresses inside Exchange (`/O=…`) say nothing outside of it. */
function named(name: string, address: string): string {
  const shown = oneLine(name)
  const usable = address.includes('@') ? oneLine(address) : ''
  if (usable === '' || usable === shown) return shown
  return shown === '' ? usable : `${shown} <${usable}>`
}

async function textOf(
  properties: MsgProperties,
  limits: FileLimits,
): Promise<{ text: string; told: ReaderItem[] }> {
  const most = limits.mailTextBytes
  const told: ReaderItem[] = []
  const cutOff = (id: number) => {
    const count = properties.sizeOf(id) - most
    if (count <= 0) return
    told.push({ note: `the last ${count} bytes of its text were left out` })
    told.push({ dropped: { kind: 'cutText', count } })
  }
  const plain = (await properties.text(ID.body, most)).replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd()
  if (plain !== '') {
    cutOff(ID.body)
    return { text: plain, told }
  }
  const written = await properties.text(ID.html, most)
  const bytes = written === '' ? properties.binary(ID.html, most) : Buffer.from(written)
  if (bytes && bytes.length > 0) {
    cutOff(ID.html)
    const encoding = written === '' ? codePageName(properties.long(ID.internetCodePage)) : 'utf-8'
    return { text: await mailHtml(bytes, encoding, limits, told), told }
  }
  return { text: await richText(properties.binary(ID.rtf, most), limits, told), told }
}

/** The rich text that Outlook keeps beside the other forms of a text, read where it is the only one. */
async function richText(packed: Buffer | undefined, limits: FileLimits, told: ReaderItem[]): Promise<string> {
  if (!packed || packed.length === 0) return ''
  const rtf = unpackRtf(packed, limits.mailTextBytes)
  if (!rtf?.isWhole) told.push({ note: 'its text, which is only there as RTF, is damaged or too large' })
  if (!rtf) told.push({ dropped: { kind: 'cutText', count: packed.length } })
  return rtf ? mailRtf(rtf.bytes, limits, told) : ''
}

function* protection(messageClass: string): Generator<ReaderItem> {
  if (/SMIME\.MultipartSigned/i.test(messageClass))
    yield { note: 'the mail is signed; its signature was not checked' }
  else if (/SMIME/i.test(messageClass))
    yield { note: 'the mail is encrypted or signed as a whole: only its headers were read' }
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
