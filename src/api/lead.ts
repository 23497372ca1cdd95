import { z } from 'zod'
import { moment } from './json.ts'

const said = z.string().max(1000).nullish()

export const leadBody = z.looseObject({
  chatflowid: z.string(),
  chatId: z.string().max(255),
  name: said,
  email: said,
  phone: said,
})

/** The contact details of a visitor of a chat. */
export const leadShape = z.object({
  id: z.string(),
  chatflowid: z.string(),
  chatId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  createdDate: moment,
})
export const leadList = z.array(leadShape)
