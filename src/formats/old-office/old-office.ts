import { type CompoundFolder, openCompoundFile } from '../compound-file.ts'
import type { Extraction } from '../extraction.ts'

/** What the streams of a compound file tell about it, in the order of the search. */
const KINDS: readonly (readonly [stream: string, described: string])[] = [
  ['WordDocument', 'a Word 97-2003 document (.doc)'],
  ['Workbook', 'an Excel 97-2003 workbook (.xls)'],
  ['Book', 'an Excel 95 workbook (.xls)'],
  ['PowerPoint Document', 'a PowerPoint 97-2003 deck; save it as .pptx'],
  ['VisioDocument', 'a Visio drawing'],
  ['__properties_version1.0', 'an Outlook message (.msg)'],
]

/**
 * Opens an Office file of before 2007 that must have one of some streams.
 *
 * @throws SluiceError `file_unreadable`, which says what the file is instead, `file_encrypted`
 */
export function openOldOffice(
  file: { bytes: Uint8Array; name: string },
  source: Extraction,
  streams: readonly string[],
): CompoundFolder {
  const compound = openCompoundFile(file)
  if (streams.some((name) => compound.has(name))) return compound
  if (compound.has('EncryptedPackage')) source.encrypted()
  const kind = KINDS.find(([stream]) => compound.has(stream))
  return source.unreadable(
    kind ? `its content is ${kind[1]}` : 'it is a compound file without a document that is read here',
  )
}
