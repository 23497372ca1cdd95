import type { AnswerForm } from '../../contract/answer-form.ts'
import type { NodeCard } from '../../contract/card.ts'
import type { Fields, ValuesOf } from '../../contract/field.ts'
import { defineNode } from '../../cards/define-node.ts'
import { flagField } from '../../cards/field.ts'

type Shape = AnswerForm extends infer Form
  ? Form extends AnswerForm
    ? Omit<Form, 'nodeId' | 'repairs'>
    : never
  : never

type ParserCard<F extends Fields> = {
  name: string
  label: string
  type: string
  description: string
  fields: F
  /** @throws InputError */
  shape(values: ValuesOf<F>): Shape
}

/** The card of an output parser: the form that the answer of a chain must have. */
export function parserCard<const F extends Fields>({
  type,
  fields,
  shape,
  ...facts
}: ParserCard<F>): NodeCard<'answerForm'> {
  return defineNode({
    ...facts,
    kind: 'answerForm',
    version: 1,
    category: 'Output Parsers',
    type,
    baseClasses: [type, 'BaseLLMOutputParser', 'Runnable'],
    fields: {
      autofixParser: flagField('Autofix', false, {
        main: true,
        description: 'The model is asked once more where its answer has another form',
      }),
      ...fields,
    },
    anchors: {},
    build: ({ values }, { nodeId }) => ({
      ...shape(values as unknown as ValuesOf<F>),
      nodeId,
      repairs: (values as { autofixParser: boolean }).autofixParser,
    }),
  })
}
