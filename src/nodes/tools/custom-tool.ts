import { defineNode } from '../../cards/define-node.ts'
import { flagField, textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { NodeServices } from '../../contract/card.ts'
import { SluiceError } from '../../kit/errors.ts'
import { codeTool, type WrittenTool } from '../../openapi/custom-tool/code-tool.ts'
import { toolProblems } from '../../openapi/custom-tool/tool-problems.ts'
import { codeRunner } from '../../openapi/sandbox/code-runner.ts'

/** For code and what a model is told of it. */
const replaces = { guard: 'credential', additional: true } as const

export const customTool = defineNode({
  kind: 'tools',
  name: 'customTool',
  label: 'Custom Tool',
  version: 3,
  category: 'Tools',
  type: 'CustomTool',
  baseClasses: ['CustomTool', 'Tool', 'StructuredTool', 'Runnable'],
  icon: 'square-function',
  description: 'A tool of this workspace: JavaScript that runs in a sandbox',
  fields: {
    selectedTool: textField('Select Tool', undefined, {
      main: true,
      required: true,
      guard: 'credential',
      loadMethod: 'listTools',
      description: 'A tool of the page Tools',
    }),
    returnDirect: flagField('Return Direct', false, {
      description: 'Sends what the tool returns to the user unchanged',
    }),
    customToolName: textField('Custom Tool Name', '', {
      ...replaces,
      description: 'In place of the name of the tool',
    }),
    customToolDesc: textField('Custom Tool Description', '', {
      ...replaces,
      multiline: true,
      description: 'In place of its description',
    }),
    customToolSchema: {
      ...textField('Custom Tool Schema', '', {
        ...replaces,
        language: 'json',
        description: 'In place of its schema: a list of rows {"property", "type", "description", "required"}',
      }),
      type: 'code',
    },
    customToolFunc: {
      ...textField('Custom Tool Func', '', {
        ...replaces,
        language: 'javascript',
        description: 'In place of its code',
      }),
      type: 'code',
    },
  },
  anchors: {},
  lists: {
    async listTools(_values, { customTools }) {
      return (await customTools.list()).map(({ id, name, description }) => ({
        label: name,
        name: id,
        description,
      }))
    },
  },
  build({ values }, context) {
    const id = values.selectedTool
    if (id === undefined) throw new InputError('selectedTool', 'it names no tool')
    const replaced = {
      ...(values.customToolName === '' ? {} : { name: values.customToolName }),
      ...(values.customToolDesc === '' ? {} : { description: values.customToolDesc }),
      ...(values.customToolSchema === '' ? {} : { schema: values.customToolSchema }),
      ...(values.customToolFunc === '' ? {} : { func: values.customToolFunc }),
    }
    const own = { schema: values.customToolSchema !== '', func: values.customToolFunc !== '' }
    const find = async () => written(await findTool(context.customTools, id), replaced)
    context.beforeUse?.(async () => refuseBroken(await find(), own))
    return {
      async tools() {
        try {
          const tool = await find()
          refuseBroken(tool, own)
          return [
            codeTool(tool, {
              egress: context.egress,
              code: codeRunner,
              flowId: context.flowId,
              returnDirect: values.returnDirect,
            }),
          ]
        } catch (error) {
          if (!(error instanceof InputError)) throw error
          throw new SluiceError('input_invalid', {
            node: context.nodeId,
            input: 'Select Tool',
            reason: error.message,
            nodeId: context.nodeId,
            inputName: error.input,
          })
        }
      },
    }
  },
})

const written = (tool: WrittenTool, replaced: Partial<WrittenTool>): WrittenTool => ({ ...tool, ...replaced })

async function findTool(tools: NodeServices['customTools'], id: string): Promise<WrittenTool> {
  const tool = await tools.find(id)
  if (tool) return tool
  throw new InputError('selectedTool', `there is no custom tool ${id}`, {
    hint: 'Import it under Tools, or choose one of this server: exports of a flow do not contain its tools',
  })
}

/** @throws InputError for the first problem of the tool */
function refuseBroken(tool: WrittenTool, own: Readonly<Record<'schema' | 'func', boolean>>): void {
  const [problem] = toolProblems(tool)
  if (!problem) return
  const input = own[problem.part]
    ? { schema: 'customToolSchema', func: 'customToolFunc' }[problem.part]
    : 'selectedTool'
  const advice =
    problem.instead === null ? { hint: 'Correct the tool under Tools' } : { instead: problem.instead }
  throw new InputError(input, `the custom tool ${tool.name}: ${problem.message}`, advice)
}
