import { openOdf } from './odf-package.ts'
import { readOdfStyles } from './odf-styles.ts'
import { readOdsRows } from './ods-rows.ts'
import type { FormatReader } from '../reader.ts'
import { SheetDocuments } from '../sheet-documents.ts'

/**
 * Reads an OpenDocument spreadsheet: a document per row, in the form and with the metadata of an Excel workbook; see
 * {@link readXlsx}. Hidden sheets are left out with a note.
 */
export const readOds: FormatReader = function* (file, _options, limits) {
  const source = openOdf(file, limits)
  let documents: SheetDocuments | undefined
  for (const event of readOdsRows(source, readOdfStyles(source), limits)) {
    if ('begin' in event) documents = new SheetDocuments(source, event.begin, limits)
    else if ('row' in event) yield* documents!.push(event.row)
    else yield* documents!.end(event.end)
  }
  yield* source.report()
}
