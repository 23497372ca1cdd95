import type { JsonObject } from '../../../kit/json.ts'
import { type VariableOfNode, withReferences } from './prompts.ts'
import type { StateKey } from './state-key.ts'

/** What the code of a step gets of the run before it: the values of its inputs are texts, lists among them JSON. */
const READ = `const json = (text) => { try { return JSON.parse(text) } catch { return undefined } }
const read = (value) => (typeof value === 'string' && /^\\s*[[{]/.test(value) ? json(value) ?? value : value)
const state = Object.fromEntries(Object.entries($flow.state ?? {}).map(([key, value]) => [key, read(value)]))`

/** A value at a path of what the code knows. A negative index counts from the end. */
const AT = `const at = (path) => path.replace(/\\[(-?\\d+)\\]/g, '.$1').split('.').reduce((value, step) =>
  value === null || value === undefined ? undefined : Array.isArray(value) && Number(step) < 0 ? value.at(Number(step)) : value[step],
  { ...$flow, vars: $vars })`

/** The expression and the variables of `$flow.output` in code: the answer of a model step, or its calls of tools. */
function outputOf(step: string, fields: ReadonlyMap<string, boolean>, isToolNode: boolean) {
  const variables: JsonObject[] = [
    { variableName: 'content', variableValue: `{{${step}}}` },
    { variableName: 'usedTools', variableValue: `{{${step}.output.usedTools}}` },
    { variableName: 'sourceDocuments', variableValue: `{{${step}.output.sourceDocuments}}` },
  ]
  if (isToolNode)
    return {
      variables,
      // Every document is given to the first call.
      expression: `(json($usedTools) ?? []).map((call, index) => ({ ...call, sourceDocuments: index === 0 ? json($sourceDocuments) ?? [] : [] }))`,
    }
  const own = [...fields].map(([key, isText], index) => {
    variables.push({ variableName: `field_${index}`, variableValue: `{{${step}.output.${key}}}` })
    return `${JSON.stringify(key)}: ${isText ? `$field_${index}` : `json($field_${index})`}`
  })
  const parts = [
    'content: $content',
    'usedTools: json($usedTools)',
    'sourceDocuments: json($sourceDocuments)',
    ...own,
  ]
  return { variables, expression: `{ ${parts.join(', ')} }` }
}

/** The first lines of code that was written for version 1: `$flow` with the state as values, the messages and the output before it. */
export function codeHead(
  step: string | undefined,
  fields: ReadonlyMap<string, boolean>,
  isToolNode: boolean,
): { head: string; variables: JsonObject[] } {
  const output =
    step === undefined ? { variables: [], expression: 'undefined' } : outputOf(step, fields, isToolNode)
  return {
    head: `${READ}
const given = { ...$flow, vars: $vars, state: { ...state, messages: json($messages) ?? [] }, output: ${output.expression} }`,
    variables: [{ variableName: 'messages', variableValue: '{{runtime_messages}}' }, ...output.variables],
  }
}

type StateCode = {
  /** The code of the author; the rows count where there is none. */
  code: string | undefined
  rows: readonly { key: string; value: string }[]
  step: string
  fields: ReadonlyMap<string, boolean>
  isToolNode: boolean
  keys: readonly StateKey[]
  variableOf: VariableOfNode
}

/**
 * The inputs of a Custom Function step that writes the state as version 1 does: a key that is not written keeps its value, and a key
 * with Append gets what is written at the end of its list.
 */
export function stateCode({ code, rows, step, fields, isToolNode, keys, variableOf }: StateCode): JsonObject {
  const { head, variables } = codeHead(step, fields, isToolNode)
  const values = rows.map(({ key, value }, index) => {
    if (/^\$(flow\.|flow$|vars\.)/.test(value))
      return `${JSON.stringify(key)}: at(${JSON.stringify(value.replace(/^\$(flow\.)?/, ''))})`
    variables.push({
      variableName: `value_${index}`,
      variableValue: withReferences(value, variableOf, 'updateStateMemoryUI'),
    })
    return `${JSON.stringify(key)}: $value_${index}`
  })
  const written = code ?? `${AT}\nreturn { ${values.join(', ')} }`
  const appended = keys.filter(({ append }) => append).map(({ key }) => key)
  return {
    customFunctionInputVariables: variables,
    customFunctionJavascriptFunction: `${head}
const update = await (async ($flow) => {
${written}
})(given)
const appended = ${JSON.stringify(appended)}
const next = (key) => {
  const value = update?.[key]
  if (value === undefined || value === null) return state[key] ?? ''
  return appended.includes(key) ? [].concat(state[key] || [], value) : value
}
return { state: Object.fromEntries(${JSON.stringify(keys.map(({ key }) => key))}.map((key) => [key, next(key)])) }`,
    customFunctionUpdateState: keys.map(({ key }) => ({ key, value: `{{output.state.${key}}}` })),
  }
}
