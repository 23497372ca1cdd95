import { z } from 'zod'

/** The text of a file, to be sent along with a question. */
export const attachmentShape = z.object({
  name: z.string(),
  mimeType: z.string(),
  size: z.number(),
  content: z.string(),
})
export const attachmentList = z.array(attachmentShape)

/** A link to a picture; it expires. */
export const pictureQuery = z.object({
  fileId: z.string(),
  expires: z.coerce.number().int(),
  signature: z.string(),
})
