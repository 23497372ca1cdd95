import { textField } from '../../cards/field.ts'

/** What the cards of moderations share. */
export const moderationCard = {
  kind: 'moderation',
  category: 'Moderation',
  type: 'Moderation',
  baseClasses: ['Moderation'],
} as const

/** The text that a user gets in place of an answer. */
export const refusalField = (fallback: string) =>
  textField('Error Message', fallback, {
    main: true,
    description: 'The answer to a question that is refused',
  })
