import libmime from 'libmime'
import type { Metadata } from '../../contract/document.ts'
import { attachmentName, isPicture } from './attachment-name.ts'
import { bytePieces } from '../file-pieces.ts'
import { beyondNumber, beyondRoom } from '../inside-files.ts'
import type { FileLimits } from '../limits.ts'
import { mailBody } from './mail-body.ts'
import { type MailPart, type MailParts, mailParts } from './mail-parts.ts'
import { type MailHead, mailDate, mailMetadata, mailText } from './mail-text.ts'
import type { ContainerReader, InsideFiles, ReaderItem } from '../reader.ts'

/**
 * Reads a mail (RFC 5322, MIME) as one document: its subject as a heading, who wrote it to whom and when, its text.
 * Its attachments follow, read by their own readers. Metadata: `subject`, `from`, `to`, `cc`, `date` (ISO 8601, UTC),
 * `messageId`; `attachment` on the documents of an attachment, with a slash before the name of a file inside it.
 *
 * @throws SluiceError `file_unreadable` for bytes without headers, `file_over_limit`
 */
export const readMailFile: ContainerReader = (file, _options, limits, inside) =>
  readMail(bytePieces(file), file.name, limits, inside)

/** Reads the bytes of one mail; throws like {@link readMailFile}. */
export async function* readMail(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  limits: FileLimits,
  inside: InsideFiles,
): AsyncGenerator<ReaderItem> {
  const mail = await mailParts(pieces, name, limits, inside)
  const files = sorted(mail)
  const head = headOf(mail)
  const metadata = mailMetadata(head)
  const body = await mailBody(
    mail.parts.filter(({ isText }) => isText),
    limits,
  )
  const { text, isEncrypted } = withoutCipher(body.text)
  yield {
    pageContent: mailText(
      head,
      text,
      files.toRead.flatMap(([name, { filename }]) => (filename === undefined ? [] : [name])),
    ),
    metadata,
    last: true,
  }
  yield* body.told
  yield* protection(mail, files, isEncrypted)
  if (files.pictures > 0) yield { dropped: { kind: 'picture', count: files.pictures } }
  for (const [name, part] of files.toRead) yield* readAttachment(name, part, metadata, inside)
  yield* beyondNumber(mail.filesNotHeld, limits)
}

async function* readAttachment(
  name: string,
  part: MailPart,
  metadata: Metadata,
  inside: InsideFiles,
): AsyncGenerator<ReaderItem> {
  const { bytes, cut } = part
  // the mail holds it no longer: others may be large too
  part.bytes = Buffer.alloc(0)
  if (cut > 0) yield* beyondRoom(name)
  else yield* inside.read({ name, bytes }, metadata)
}

type Files = {
  toRead: [name: string, part: MailPart][]
  pictures: number
  isSigned: boolean
  /** `signed`: the text is inside the signature. */
  sealed: 'encrypted' | 'signed' | undefined
}

const SIGNATURES: ReadonlySet<string> = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
])
const SEALED = /^application\/(?:x-)?pkcs7-mime$/

function sorted({ parts, multiparts, headers }: MailParts): Files {
  const files: Files = { toRead: [], pictures: 0, isSigned: multiparts.has('signed'), sealed: undefined }
  if (multiparts.has('encrypted')) files.sealed = 'encrypted'
  for (const part of parts) {
    const { mediaType, isText, alternative } = part
    // what HTML and plain text say too, in other markup
    const isCopy = alternative && /^text\/(?!plain$|html$|calendar$)/.test(mediaType)
    if (isText || isCopy || (multiparts.has('encrypted') && part.filename === undefined)) continue
    const name = attachmentName(part.filename, mediaType, files.toRead.length + files.pictures + 1)
    if (SIGNATURES.has(mediaType)) files.isSigned = true
    else if (SEALED.test(mediaType) || mediaType === 'application/pgp-encrypted')
      files.sealed ??= /signed-data/i.test(headers.getFirst('Content-Type')) ? 'signed' : 'encrypted'
    else if (multiparts.has('encrypted')) files.sealed = 'encrypted'
    else if (isPicture(name, mediaType)) files.pictures++
    else files.toRead.push([name, part])
  }
  return files
}

function* protection({ multiparts }: MailParts, files: Files, isEncrypted: boolean): Generator<ReaderItem> {
  if (files.sealed === 'encrypted' || isEncrypted)
    yield { note: 'the mail is encrypted: only its headers were read' }
  if (files.sealed === 'signed')
    yield { note: 'the text of the mail is inside its signature (S/MIME) and was not read' }
  if (files.sealed || isEncrypted) yield { dropped: { kind: 'attachment', count: 1 } }
  if (files.isSigned || multiparts.has('signed'))
    yield { note: 'the mail is signed; its signature was not checked' }
}

const CIPHER = /^-----BEGIN PGP MESSAGE-----$[\s\S]*?(?:^-----END PGP MESSAGE-----$|$(?![\s\S]))/gm

/** Text without encrypted blocks. */
function withoutCipher(text: string): { text: string; isEncrypted: boolean } {
  if (!text.includes('-----BEGIN PGP MESSAGE-----')) return { text, isEncrypted: false }
  const rest = text.replace(CIPHER, '').trim()
  return { text: rest, isEncrypted: rest !== text }
}

function headOf({ headers }: MailParts): MailHead {
  const value = (name: string): string => decoded(headers.getFirst(name))
  return {
    subject: value('Subject'),
    from: value('From') || value('Sender'),
    to: value('To'),
    cc: value('Cc'),
    date: mailDate(headers.getFirst('Date')),
    messageId: value('Message-ID'),
  }
}

/** A header with its encoded words (RFC 2047) as text, in one line. */
function decoded(value: string): string {
  let text = value
  try {
    text = libmime.decodeWords(value)
  } catch {
    // an encoding that nobody knows: it stays as it was written
  }
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}
