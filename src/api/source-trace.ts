import { z } from 'zod'
import { GAP_REASONS } from '../contract/source-trace.ts'
import { common, doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { droppedRow } from './dropped.ts'
import { chatId, count, moment } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'
import { pin } from './pin.ts'

/* Where the words of a document went. */

export const sourceTraceQuery = pageQuery.extend({
  source: z.string().register(docs, common.source),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
  chatId: chatId.optional().register(docs, doc('The conversation of which the document is a file', 'chat-1')),
})

const shares = {
  one: count.meta(doc('How many are in one chunk', 980)),
  several: count.meta(doc('How many are in two chunks or more', 120)),
}

const traceBand = z.object({
  start: count.meta(doc('The position of the first line in the text, in UTF-16 code units', 0)),
  line: count.meta(doc('The number of the first line, from 1', 1)),
  lines: count.meta(doc('How many lines it has', 1)),
  ...shares,
  none: count.meta(doc('How many have words that are in no chunk', 0)),
})
export type TraceBandAnswer = z.output<typeof traceBand>

const textGap = z.object({
  start: count.meta(doc('The position of the first code unit in the text', 1840)),
  end: count.meta(doc('The position after the last code unit', 1852)),
  characters: count.meta(doc('How many characters are there, without white space', 10)),
  text: z
    .string()
    .register(
      docs,
      doc(
        'The text, at most 2,000 code units; empty where it is not kept: of chunks that were removed',
        '* * *',
      ),
    ),
  reason: z
    .enum(GAP_REASONS)
    .register(
      docs,
      doc(
        'Why it is in no chunk: cut (the splitter leaves it out, such as a separator), deleted (a person has deleted the chunk), removed (its chunk was removed after the load)',
        'cut',
      ),
    ),
  after: count.meta(doc('How many chunks begin before it', 3)),
})
export type TextGapAnswer = z.output<typeof textGap>

export const sourceTrace = z.object({
  source: z.string().register(docs, common.source),
  placed: z
    .boolean()
    .register(
      docs,
      doc(
        'Whether it is known where the chunks are in the text: not with a sourceIdKey of the record manager',
      ),
    ),
  known: z
    .boolean()
    .register(
      docs,
      doc(
        'Whether it is known which words are in no chunk: not where placed is false, and not of documents that an earlier release loaded, until they are loaded again',
      ),
    ),
  total: count.meta(doc('The length of the extracted text in UTF-16 code units', 12_400)),
  chunks: count.meta(doc('The number of chunks of the newest version', 12)),
  edited: count.meta(
    doc('How many of them a person has changed; they count as the text that the document has there', 0),
  ),
  characters: z
    .object({
      ...shares,
      none: count.nullable().meta(doc('How many are in no chunk; null where that is not known', 22)),
    })
    .register(
      docs,
      doc('The characters of the text, without white space', { one: 980, several: 120, none: 22 }),
    ),
  share: z
    .number()
    .nullable()
    .register(
      docs,
      doc(
        'The share of the characters that is in no chunk, from 0 to 1; null where that is not known',
        0.0196,
      ),
    ),
  lines: z
    .object({
      all: count.meta(doc('How many there are', 240)),
      ...shares,
      none: count.meta(doc('How many have words that are in no chunk', 2)),
      blank: count.meta(doc('How many have no words', 60)),
    })
    .register(
      docs,
      doc('The lines of the text; one with words of several kinds counts once: as none, else as several', {
        ...{ all: 240, one: 150, several: 28, none: 2, blank: 60 },
      }),
    ),
  bands: z
    .array(traceBand)
    .register(docs, doc('A map of the text: its lines in at most 1,000 rows of as many lines each', [])),
  gaps: pageOf(textGap).register(
    docs,
    doc('A page of the places whose words are in no chunk, in their order', {}),
  ),
  more: z
    .object({
      gaps: count.meta(doc('How many places there are besides these', 0)),
      characters: count.meta(doc('How many characters they have', 0)),
    })
    .register(
      docs,
      doc('What is in no list: a load remembers at most 1,000 places of a document and 20,000 in all', {
        gaps: 0,
        characters: 0,
      }),
    ),
  dropped: z
    .array(droppedRow)
    .nullable()
    .register(
      docs,
      doc('What the reader has left out of the text, with its place; null where it is not known', [
        { kind: 'hiddenSheet', count: 1, text: 'sheet Budget is hidden' },
      ]),
    ),
})
export type SourceTraceAnswer = z.output<typeof sourceTrace>

export const sourceQuestionsQuery = z.object({
  source: z.string().register(docs, common.source),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
})

const chunkQuestion = z.object({
  question: z
    .string()
    .register(docs, doc('The question, at most 500 characters', 'How long is the notice period?')),
  flow: z.string().register(docs, common.slug),
  chatId: z.string().register(docs, doc('The conversation', 'chat-1')),
  messageId: z.string().register(docs, doc('The id of the answer', EXAMPLE_ID)),
  rank: count.meta(doc('The place of the chunk among the sources of the answer, from 1', 1)),
  at: moment.meta(doc('When it was answered, ISO 8601 in UTC', EXAMPLE_MOMENT)),
})

/** Which questions of conversations have found which chunks of a document. */
export const sourceQuestions = z.object({
  data: z
    .array(
      z.object({
        chunk: z
          .string()
          .register(docs, doc('The id of the chunk, a UUID', '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69')),
        answers: count.meta(doc('How many answers had it among their sources', 3)),
        questions: z.array(chunkQuestion).register(docs, doc('The last five of them, the newest first', [])),
      }),
    )
    .register(docs, doc('The chunks that were found, the most frequent first', [])),
  answers: count.meta(doc('How many answers were looked at', 120)),
  complete: z
    .boolean()
    .register(
      docs,
      doc(
        'Whether these are all answers: at most the last 1,000 messages, and the first 5,000 chunks, are looked at',
      ),
    ),
  gone: count.meta(
    doc(
      'How many sources of these answers are texts of the document that none of its chunks has any more',
      0,
    ),
  ),
})
export type SourceQuestionsAnswer = z.output<typeof sourceQuestions>
