import { written } from '../../graph.ts'
import type { Context, Translated } from './context.ts'
import { valuesIn } from './draft.ts'
import { addStateStep, isOn, labelOf } from './model-steps.ts'
import type { OldNode } from './old-drawing.ts'
import { variableAt, withReferences } from './prompts.ts'
import { codeHead, stateCode } from './state-code.ts'
import { Untranslatable } from './untranslatable.ts'

/** Draws a Custom Function step with the code of a node of chat flows, whose value prompts take. */
export function addFunction(
  node: OldNode,
  step: string,
  position: OldNode['position'],
  { draft, variableOf }: Context,
): void {
  draft.add(step, labelOf(node), position, {
    customFunctionInputVariables: inputVariables(node, variableOf),
    customFunctionJavascriptFunction: written(node.inputs.javascriptFunction),
  })
  draft.became(step, node)
}

function inputVariables({ inputs }: OldNode, variableOf: Context['variableOf']) {
  const values = valuesIn(inputs.functionInputVariables)
  if (!values)
    throw new Untranslatable('functionInputVariables', 'they are no JSON object', 'Write {"name": "value"}')
  return Object.entries(values).map(([variableName, given]) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    const variable = text.startsWith('$') ? variableAt(text, variableOf) : undefined
    const variableValue =
      variable === undefined ? withReferences(text, variableOf, 'functionInputVariables') : `{{${variable}}}`
    return { variableName, variableValue }
  })
}

/** A Custom JS Function of the sequence. */
export function translateFunction(
  node: OldNode,
  step: string,
  context: Context,
): Translated & { hasCode: boolean } {
  const { draft, keys, variableOf } = context
  const { head, variables } = codeHead(undefined, new Map(), false)
  const own = inputVariables(node, variableOf)
  const code = written(node.inputs.javascriptFunction)
  draft.add(step, labelOf(node), node.position, {
    customFunctionInputVariables: [...variables, ...own],
    customFunctionJavascriptFunction: `${head}
return await (async ($flow) => {
${code}
})(given)`,
  })
  draft.became(step, node)
  if (written(node.inputs.returnValueAs) !== 'stateObj') {
    draft.say(
      { id: step, label: labelOf(node) },
      'changed',
      'What it returns is no message that models read',
      {
        input: 'returnValueAs',
        instead: `Name it in a prompt: {{${step}}}`,
      },
    )
    return { entry: step, exits: () => [{ from: step, output: 0 }], hasCode: false }
  }
  const state = addStateStep(
    node,
    step,
    stateCode({
      code: 'return json($flow.output.content)',
      rows: [],
      step,
      fields: new Map(),
      isToolNode: false,
      keys,
      variableOf,
    }),
    context,
  )
  return { entry: step, exits: () => [{ from: state, output: 0 }], hasCode: true }
}

/** An Execute Flow node. */
export function translateExecuteFlow(
  node: OldNode,
  step: string,
  { draft, variableOf }: Context,
): Translated & { hasCode: boolean } {
  const input = written(node.inputs.seqExecuteFlowInput).trim()
  const named = /^\{\{\s*\$?([\w-]+)\s*\}\}$/.exec(input)?.[1]
  const variable = named === undefined ? undefined : variableOf(named)
  draft.add(step, labelOf(node), node.position, {
    executeFlowSelectedFlow: written(node.inputs.selectedFlow),
    executeFlowInput: input === 'userQuestion' || variable === undefined ? '{{question}}' : `{{${variable}}}`,
    executeFlowReturnResponseAs:
      node.inputs.returnValueAs === 'humanMessage' ? 'userMessage' : 'assistantMessage',
  })
  draft.became(step, node)
  for (const name of ['overrideConfig', 'baseURL'])
    if (written(node.inputs[name]) !== '')
      draft.say({ id: step, label: labelOf(node) }, 'dropped', 'It has no effect here', { input: name })
  if (isOn(node.inputs.startNewSession))
    draft.say({ id: step, label: labelOf(node) }, 'changed', 'The other flow gets the session of this one', {
      input: 'startNewSession',
    })
  return { entry: step, exits: () => [{ from: step, output: 0 }], hasCode: false }
}
