import { SluiceError } from '../../kit/errors.ts'
import { readMail } from './eml.ts'
import { bytePieces } from '../file-pieces.ts'
import { mailsIn } from './mbox-mails.ts'
import type { ContainerReader, ReaderItem } from '../reader.ts'

/**
 * Reads a mailbox (RFC 4155: each mail begins with a line `From `), a document per mail; see eml.ts for a mail.
 * Metadata `mailNumber` is the number of the mail in the file, from 1. A mail that cannot be read is told.
 *
 * @throws SluiceError `file_unreadable` where none of its mails can be read
 */
export const readMailbox: ContainerReader = async function* (file, _options, limits, inside) {
  let mailNumber = 0
  let read = 0
  let failed: unknown
  for await (const pieces of mailsIn(bytePieces(file))) {
    mailNumber++
    const name = `mail ${mailNumber}`
    try {
      for await (const item of readMail(pieces, name, limits, inside.renewed()))
        yield placed(item, mailNumber)
      read++
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      failed ??= error
      yield { note: error.message }
      yield { dropped: { kind: 'attachment', count: 1, place: { part: name } } }
    }
  }
  if (read > 0) return
  if (mailNumber === 1 && failed) throw failed
  const reason = mailNumber > 0 ? 'none of its mails can be read' : 'it has no line that begins a mail'
  throw new SluiceError('file_unreadable', { file: file.name, reason })
}

function placed(item: ReaderItem, mailNumber: number): ReaderItem {
  if ('note' in item) return { ...item, note: `mail ${mailNumber}: ${item.note}` }
  if ('dropped' in item) {
    const { place } = item.dropped
    const part = place?.part === undefined ? `mail ${mailNumber}` : `mail ${mailNumber}/${place.part}`
    return { dropped: { ...item.dropped, place: { ...place, part } } }
  }
  return { ...item, metadata: { mailNumber, ...item.metadata } }
}
