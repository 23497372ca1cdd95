import { z } from 'zod'
import { doc, docs } from './doc.ts'
import { moment } from './json.ts'

/** How a person signs in to the studio: with the code of a link, or with a key that may manage. */
export const signInBody = z
  .looseObject({
    code: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .register(docs, doc('The code of a sign-in link; valid once, for five minutes', '0mGcQ…')),
    key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .register(docs, doc('A key with the scope manage, or ADMIN_KEY', 'sk-…')),
  })
  .refine(({ code, key }) => (code === undefined) !== (key === undefined), 'give either code or key')

export const sessionState = z.object({
  signedIn: z.boolean().register(docs, doc('Whether this browser is signed in to the studio')),
  expiresAt: moment
    .nullable()
    .register(
      docs,
      doc('When the session ends, ISO 8601 in UTC; null where there is none', '2030-01-31T00:00:00.000Z'),
    ),
})

export const signOutQuery = z.looseObject({
  everywhere: z
    .enum(['true', 'false'])
    .optional()
    .register(docs, doc('true ends the sessions of all browsers', 'true')),
})

export const signedOut = z.object({
  ended: z.number().register(docs, doc('The number of sessions that ended', 1)),
})

export const signInCode = z.object({
  code: z.string().register(docs, doc('A code for one sign-in within five minutes', '0mGcQ…')),
  expiresAt: moment.meta(doc('When the code stops working, ISO 8601 in UTC', '2030-01-31T00:00:00.000Z')),
})
export type SignInCode = z.output<typeof signInCode>
