import { z } from 'zod'
import { DROPPED_KINDS } from '../contract/file-parser.ts'
import { doc, docs } from './doc.ts'
import { count } from './json.ts'

/** How much of a kind was left out of the text of a file. */
export const droppedCount = z.object({
  kind: z
    .enum(DROPPED_KINDS)
    .register(
      docs,
      doc(
        'What was left out: repeatedLine (a header, a footer, a repeated header of a table), pageNumber, hiddenSheet, hiddenElement, deletedText (by a tracked change), unreadablePage, damagedPart, skippedLine, skippedValue, repeatedKey, undecodedCharacter, cutText, cutMetadata (cells that only the text has), picture, attachment',
        'hiddenSheet',
      ),
    ),
  count: count.meta(doc('How many: lines, pages, sheets, characters of cut text, pictures, files', 1)),
  text: z.string().register(docs, doc('The same as a person reads it', '1 hidden sheet')),
})
export type DroppedCountAnswer = z.output<typeof droppedCount>

/** The same at a place of the file, with its position in the text where that is known. */
export const droppedRow = droppedCount.extend({
  more: z
    .boolean()
    .register(
      docs,
      doc(
        'Whether the row is the sum of all others of its kind: a document has at most 100 places and one such row of each kind',
        false,
      ),
    ),
  place: z
    .object({
      page: count.optional().register(docs, doc('The first page, from 1', 1)),
      lastPage: count.optional().register(docs, doc('The last page; absent for one page', 12)),
      sheet: z.string().optional().register(docs, doc('The name of the sheet', 'Budget')),
      part: z
        .string()
        .optional()
        .register(docs, doc('The name of a part of the file: header, footer, an attachment', 'header')),
    })
    .nullable()
    .register(
      docs,
      doc(
        'Where in the file it was: page and lastPage (from 1; a slide counts as a page), sheet, part; null where it is of all of the file',
        { sheet: 'Budget' },
      ),
    ),
  position: z
    .object({
      start: count.meta(doc('The position of the first code unit', 0)),
      end: count.meta(doc('The position after the last code unit', 1840)),
    })
    .nullable()
    .register(
      docs,
      doc(
        'Where it would be in the extracted text: the range of its pages or its sheet; null where that is not known',
        { start: 0, end: 1840 },
      ),
    ),
})
export type DroppedAnswer = z.output<typeof droppedRow>
