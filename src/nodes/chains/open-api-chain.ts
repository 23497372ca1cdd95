import { anchor, anchors } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { fileField, objectField, textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { requireToolCalls } from '../calls-tools.ts'
import { openAPIToolkit } from '../tools/openapi-toolkit.ts'

/** The inputs of the toolkit that have another name here. */
const OWN_NAMES: Readonly<Record<string, string>> = { openApiLink: 'yamlLink', openApiFile: 'yamlFile' }
const ownName = (input: string) => OWN_NAMES[input] ?? input

/** The toolkit with nothing but its defaults. */
const toolkit = Object.fromEntries(
  Object.entries(openAPIToolkit.fields).map(([name, { fallback }]) => [name, fallback]),
)

export const openApiChain = defineNode({
  kind: 'answerer',
  name: 'openApiChain',
  label: 'OpenAPI Chain',
  version: 2,
  category: 'Chains',
  type: 'OpenAPIChain',
  baseClasses: ['OpenAPIChain', 'BaseChain', 'Runnable'],
  description: 'Lets a chat model call the operations of an OpenAPI description until it can answer',
  fillsTexts: true,
  fields: {
    yamlLink: textField('YAML Link', '', {
      main: true,
      guard: 'url',
      required: true,
      alternatives: ['yamlFile'],
      description: 'The address of the description. It wins over the file',
    }),
    yamlFile: fileField('YAML File', '.yaml,.yml,.json'),
    headers: objectField('Headers', {
      additional: true,
      guard: 'credential',
      description: 'Sent with every call. The model does not see them',
    }),
  },
  anchors: {
    model: anchor('chatModel', 'Tool Calling Chat Model', 'BaseChatModel'),
    inputModeration: anchors('moderation', 'Input Moderation', 'Moderation'),
  },
  build({ values: { yamlLink, yamlFile, headers }, parts: { model, inputModeration } }, context) {
    requireToolCalls(model)
    const source = yamlLink === '' ? { yamlFile } : { inputType: 'link', openApiLink: yamlLink }
    const { beforeUse } = context
    return {
      type: 'toolAgent',
      model: model!,
      moderations: inputModeration,
      tools: [
        named(() =>
          openAPIToolkit.build(
            { values: { ...toolkit, ...source, headers }, parts: {} },
            {
              ...context,
              ...(beforeUse
                ? {
                    beforeUse: (look, input) => beforeUse(look, input === undefined ? input : ownName(input)),
                  }
                : {}),
            },
          ),
        ),
      ],
      systemMessage: 'Answer the question by calls of the API.',
      maxIterations: 15,
      asksBeforeChanges: false,
    }
  },
})

/** What building does; a refusal of an input of the toolkit names the input of this node. */
function named<T>(build: () => T): T {
  try {
    return build()
  } catch (error) {
    if (error instanceof InputError) throw new InputError(ownName(error.input), error.message)
    throw error
  }
}
