import { z } from 'zod'

/** The text of a file, which a client sends with a question. */
export const attachmentShape = z.object({
  name: z.string(),
  mimeType: z.string(),
  size: z.number(),
  content: z.string(),
})
export const attachmentList = z.array(attachmentShape)

/** The query of a link to a picture. `expires`: milliseconds since 1970. */
export const pictureQuery = z.object({
  fileId: z.string(),
  expires: z.coerce.number().int(),
  signature: z.string(),
})
