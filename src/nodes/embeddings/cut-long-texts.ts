import { flagField } from '../../contract/field.ts'

/** What becomes of a text that is longer than the model takes; the same input on every card. */
export const cutLongTextsField = () =>
  flagField('Cut Long Texts', true, {
    additional: true,
    description:
      'Embed the beginning of a text that is longer than the model takes, and say so; else refuse it',
  })
