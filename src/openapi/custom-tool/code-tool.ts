import type { HttpExchange, Tool, ToolCallContext, ToolOutcome } from '../../contract/tool.ts'
import type { Egress } from '../../kit/egress/client.ts'
import type { JsonObject } from '../../kit/json.ts'
import { failedCall } from '../../tools/call.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import { guestFetch } from '../guest-fetch.ts'
import { CodeFailure, type CodeRunner } from '../sandbox/run-code.ts'
import { readToolRows, type ToolInputRow, customToolSchema } from './tool-rows.ts'

/** A tool whose code an author wrote: name, description, schema and code as they are stored. */
export type WrittenTool = { name: string; description: string; schema: string; func: string }

export type CodeToolOptions = {
  egress: Egress
  code: CodeRunner
  /** The flow that uses it, for `$flow`. */
  flowId: string
  returnDirect?: boolean
}

const NO_CREDENTIALS = { headers: [], query: [], cookies: [] }

/**
 * A written tool as a tool for a model. The code sees the properties of the schema as `$property`, `$flow` and `$vars`, and runs in
 * the sandbox; what it returns is the output. Code that fails is an outcome with `failed`, which the model reads.
 *
 * @throws Error for a schema that cannot be read
 */
export function codeTool(written: WrittenTool, options: CodeToolOptions): Tool {
  const rows = readToolRows(written.schema)
  return {
    name: sanitiseToolName(written.name, 'custom_tool'),
    description: written.description,
    parameters: customToolSchema(rows),
    ...(options.returnDirect ? { returnDirect: true } : {}),
    // Nobody can tell what the code does.
    unsafe: true,
    call: (input, signal, context) => runCode(written, { rows, input }, options, signal, context),
  }
}

async function runCode(
  { name, func }: WrittenTool,
  { rows, input }: { rows: readonly ToolInputRow[]; input: JsonObject },
  { egress, code, flowId }: CodeToolOptions,
  signal: AbortSignal,
  context: ToolCallContext = { flow: { chatflowId: flowId }, variables: {} },
): Promise<ToolOutcome> {
  const http: HttpExchange[] = []
  const note = (exchange: HttpExchange) => void http.push(exchange)
  const calls = () => (http.length > 0 ? { http } : {})
  try {
    const output = await code.run({
      code: func,
      // The code reads an input that is left out as undefined.
      unset: rows.map(({ property }) => `$${property}`),
      values: {
        ...Object.fromEntries(Object.entries(input).map(([property, value]) => [`$${property}`, value])),
        $flow: { ...context.flow },
        $vars: context.variables,
      },
      fetch: (call, fetchSignal) =>
        guestFetch(call, { egress, origin: '', credentials: NO_CREDENTIALS, note }, fetchSignal),
      signal,
    })
    return { output, ...calls() }
  } catch (error) {
    if (!(error instanceof CodeFailure)) throw error
    return { ...failedCall(`the code of ${name} failed: ${error.message}`), ...calls() }
  }
}
