import { flagField } from '../../cards/field.ts'

/** The input of all embeddings nodes for texts that are too long for the model. */
export const cutLongTextsField = () =>
  flagField('Cut Long Texts', true, {
    additional: true,
    description:
      'Embeds the beginning of a text that is too long for the model, with a note. If off, such a text is refused',
  })
