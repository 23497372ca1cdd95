import type { HttpExchange, ToolCallContext, Tool, ToolOutcome } from '../contract/tool.ts'
import type { Egress } from '../kit/egress/client.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { callForModel, failedCall, type AnswerOptions, withoutSecrets, showRequest } from '../tools/call.ts'
import { secretsIn } from '../tools/request-headers.ts'
import { BadInput } from './call/bad-input.ts'
import { buildCall } from './call/build.ts'
import { credentialsFor, type CredentialValues, secretsToMask } from './call/secrets.ts'
import { withoutEmpty } from './call/without-empty.ts'
import { type GuestFetchContext, guestFetch } from './guest-fetch.ts'
import { INPUT_GROUPS, type Operation } from './operation.ts'
import { CodeFailure, type CodeRunner } from './sandbox/run-code.ts'

export type ToolSettings = {
  flowId: string
  egress: Egress
  code: CodeRunner
  /** Added to every call; they override all others. */
  headers: Readonly<Record<string, string>>
  secrets: CredentialValues
  removeNulls: boolean
  returnDirect: boolean
  customCode?: string
  /** The most characters of an answer that the model receives. */
  maxCharacters: number
}

const SAFE = ['GET', 'HEAD', 'OPTIONS', 'QUERY']

/** Whether the method of an operation only reads. */
export const isSafe = ({ method }: Operation): boolean => SAFE.includes(method)

/** An operation as a tool for a model. */
export function operationTool(operation: Operation, settings: ToolSettings): Tool {
  const { name, description, input: parameters } = operation
  return {
    name,
    description,
    parameters,
    ...(settings.returnDirect ? { returnDirect: true } : {}),
    ...(isSafe(operation) ? {} : { unsafe: true }),
    preview(given) {
      try {
        const call = buildCall(operation, settings.removeNulls ? withoutEmpty(given) : given, settings)
        return showRequest(call, secretsOf(operation, settings))
      } catch (error) {
        if (error instanceof BadInput) return undefined
        throw error
      }
    },
    async call(given, signal, callContext) {
      const input = settings.removeNulls ? withoutEmpty(given) : given
      try {
        return await perform(operation, input, settings, signal, callContext)
      } catch (error) {
        if (error instanceof BadInput) return failedCall(error.message)
        throw error
      }
    },
  }
}

async function perform(
  operation: Operation,
  input: JsonObject,
  settings: ToolSettings,
  signal: AbortSignal,
  callContext: ToolCallContext | undefined,
): Promise<ToolOutcome> {
  if (settings.customCode !== undefined) return runCode(operation, input, settings, signal, callContext)
  const options: AnswerOptions = {
    maxCharacters: settings.maxCharacters,
    bare: settings.returnDirect,
    secrets: secretsOf(operation, settings),
  }
  return callForModel(buildCall(operation, input, settings), settings, options, signal)
}

/** The secrets to mask if an answer repeats them. */
const secretsOf = ({ server }: Operation, { headers, secrets }: ToolSettings): string[] => [
  ...secretsIn(headers, server),
  ...secretsToMask(secrets),
]

/** Runs custom code; the model receives what it returns. */
async function runCode(
  operation: Operation,
  input: JsonObject,
  settings: ToolSettings,
  signal: AbortSignal,
  callContext: ToolCallContext | undefined,
): Promise<ToolOutcome> {
  const { flowId, code, customCode = '', egress, headers, secrets } = settings
  const shown = (text: string) => withoutSecrets(text, secretsOf(operation, settings))
  const { url, body, ...options } = buildCall(operation, input, { headers, secrets: {} })
  const bodyText =
    body === undefined || typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  const http: HttpExchange[] = []
  const context: GuestFetchContext = {
    egress,
    secrets: secretsOf(operation, settings),
    note: (exchange) => void http.push(exchange),
    origin: new URL(operation.server).origin,
    credentials: credentialsFor(operation.security, secrets),
    // Code handles texts; a binary body that it passes on unchanged is sent as bytes.
    ...(typeof body === 'object' && bodyText !== undefined ? { bytes: { body, text: bodyText } } : {}),
  }
  try {
    const output = await code.run({
      code: customCode,
      values: {
        ...variablesOf(input, callContext ?? { flow: { chatflowId: flowId }, variables: {} }),
        $url: url,
        $options: { ...options, ...(bodyText === undefined ? {} : { body: bodyText }) },
      },
      fetch: (call, signal) => guestFetch(call, context, signal),
      signal,
    })
    return { output: shown(output), http }
  } catch (error) {
    if (error instanceof CodeFailure)
      return { ...failedCall(shown(`the custom code failed: ${error.message}`)), http }
    throw error
  }
}

function variablesOf(input: JsonObject, { flow, variables }: ToolCallContext): JsonObject {
  const groups = Object.values(INPUT_GROUPS).map((group): [string, Json] => [`$${group}`, input[group] ?? {}])
  return {
    ...Object.fromEntries(groups),
    $RequestBody: input.RequestBody ?? null,
    $flow: { ...flow },
    $vars: variables,
  }
}
