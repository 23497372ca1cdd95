import { z } from 'zod'
import { doc, docs, EXAMPLE_ID } from './doc.ts'

/** The text of a file, which a client sends with a question. */
export const attachmentShape = z.object({
  name: z.string().register(docs, doc('The name of the file', 'plan.md')),
  mimeType: z.string().register(docs, doc('The media type of the text', 'text/plain')),
  size: z.number().register(docs, doc('The size of the file in bytes', 2048)),
  content: z.string().register(docs, doc('The text of the file', 'Four weeks.')),
})
export const attachmentList = z.array(attachmentShape)

/** The query of a link to a picture. `expires`: milliseconds since 1970. */
export const pictureQuery = z.object({
  fileId: z.string().register(docs, doc('The id of the picture', EXAMPLE_ID)),
  expires: z.coerce
    .number()
    .int()
    .register(docs, doc('When the link expires, in milliseconds since 1970', 1_769_850_000_000)),
  signature: z.string().register(docs, doc('The signature of the link by this server', 'c2lnbmF0dXJl')),
})
