import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { moment } from './json.ts'

const said = z.string().max(1000).nullish()

export const leadBody = z.looseObject({
  chatflowid: z.string().register(docs, doc('The id or the slug of the flow', 'quickstart')),
  chatId: z
    .string()
    .max(255)
    .register(docs, doc('The id of the conversation, at most 255 characters', 'chat-1')),
  name: said.meta(doc('The name of the visitor, at most 1,000 characters', 'Ada')),
  email: said.meta(doc('A mail address, at most 1,000 characters', 'ada@example.com')),
  phone: said.meta(doc('A telephone number, at most 1,000 characters', '+41 31 000 00 00')),
})

/** The contact details of a visitor of a chat. */
export const leadShape = z.object({
  id: z.string().register(docs, doc('The id of the row, a UUID', EXAMPLE_ID)),
  chatflowid: z.string().register(docs, doc('The id of the flow', EXAMPLE_ID)),
  chatId: z.string().register(docs, common.chatId),
  name: z
    .string()
    .nullable()
    .register(docs, doc('The name of the visitor; null where it was not given', 'Ada')),
  email: z
    .string()
    .nullable()
    .register(docs, doc('The mail address of the visitor; null where it was not given', 'ada@example.com')),
  phone: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The telephone number of the visitor; null where it was not given', '+41 31 000 00 00'),
    ),
  createdDate: moment.meta(common.created),
})
export const leadList = z.array(leadShape)
