import { z } from 'zod'
import { moment } from './json.ts'

/** How a person signs in to the studio: with the code of a link, or with a key that may manage. */
export const signInBody = z
  .looseObject({
    code: z.string().min(1).max(200).optional(),
    key: z.string().min(1).max(200).optional(),
  })
  .refine(({ code, key }) => (code === undefined) !== (key === undefined), 'give either code or key')

export const sessionState = z.object({
  signedIn: z.boolean(),
  expiresAt: moment.nullable(),
})

export const signOutQuery = z.looseObject({ everywhere: z.enum(['true', 'false']).optional() })

export const signedOut = z.object({ ended: z.number() })

export const signInCode = z.object({ code: z.string(), expiresAt: moment })
export type SignInCode = z.output<typeof signInCode>
