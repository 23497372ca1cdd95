import type { BuildContext } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import {
  choiceField,
  credentialField,
  fileField,
  flagField,
  numberField,
  objectField,
  textField,
  textListField,
} from '../../cards/field.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { apiTools } from '../../openapi/api-tools.ts'
import { type DescriptionSource, loadApi, type LoadedApi } from '../../openapi/load.ts'
import { apiImportReport } from '../../openapi/report.ts'
import { codeRunner } from '../../openapi/sandbox/code-runner.ts'
import { webAddress } from '../../sources/web/address.ts'
import { beforeUse } from '../provider-key.ts'
import { readHeaders } from '../../tools/request-headers.ts'
import { authorsCode } from './authors-code.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'
import { mayRun } from '../may-run.ts'

export const openAPIToolkit = defineNode({
  kind: 'tools',
  name: 'openAPIToolkit',
  label: 'OpenAPI Toolkit',
  version: 2.1,
  category: 'Tools',
  type: 'OpenAPIToolkit',
  baseClasses: ['OpenAPIToolkit', 'Tool'],
  description: 'Makes each operation of an OpenAPI description a tool',
  fields: {
    credential: credentialField('Connect Credential', ['openAPIAuth']),
    inputType: choiceField('Input Type', ['file', 'link'], undefined, { main: true }),
    openApiFile: fileField('OpenAPI File', '.yaml,.yml,.json', {
      required: true,
      alternatives: ['yamlFile', 'openApiLink'],
    }),
    yamlFile: fileField('YAML File', '.yaml', { hidden: true }),
    openApiLink: textField('OpenAPI Link', '', { guard: 'url' }),
    selectedServer: textField('Server', '', {
      description:
        'A server of the description, or another address. Default: the first server of the description',
      guard: 'url',
      loadMethod: 'listServers',
    }),
    selectedEndpoints: textListField('Endpoints', {
      main: true,
      loadMethod: 'listEndpoints',
      description: 'Names of operations, or METHOD /path. Default: all operations',
    }),
    returnDirect: flagField('Return Direct', false, {
      description: 'Sends the response of the API to the user unchanged',
    }),
    headers: objectField('Headers', {
      description: 'Sent with every call. The model does not see them',
      additional: true,
      guard: 'credential',
    }),
    removeNulls: flagField('Remove null parameters', false, {
      description: 'Removes keys without a value from the input: null, an empty text or an empty object',
    }),
    customCode: {
      ...textField('Custom Code', '', {
        description:
          'Code that makes the call and returns a text for the model. It can use $url, $options, $PathParameters, $QueryParameters, $RequestBody, $flow, $vars and fetch',
        additional: true,
        guard: 'credential',
        language: 'javascript',
      }),
      type: 'code',
    },
    serverVariables: objectField('Server Variables', {
      description: 'Values of the variables in server addresses, such as {region}',
      additional: true,
      guard: 'url',
    }),
    followLinks: flagField('Follow Links', false, {
      description: 'Fetches other documents that the description refers to',
      additional: true,
      guard: 'url',
    }),
    maxOutputLength: numberField(
      'Max Output Length',
      10_000,
      { min: 100, max: 1_000_000, whole: true },
      { additional: true, unit: 'characters' },
    ),
    maxTools: numberField(
      'Max Tools',
      64,
      { min: 1, max: 1000, whole: true },
      {
        description: 'With more tools than this, the model gets tools to search for the ones it needs',
        additional: true,
      },
    ),
    maxToolTokens: numberField(
      'Max Tool Tokens',
      20_000,
      { min: 100, max: 1_000_000, whole: true },
      {
        unit: 'tokens',
        description: 'The same limit by size: the approximate tokens of all tool descriptions',
        additional: true,
      },
    ),
  },
  anchors: {},
  lists: {
    async listServers(values, { egress }) {
      const { api } = await read(values, egress)
      return api.servers.map((url) => ({ label: url, name: url }))
    },
    async listEndpoints(values, { egress }) {
      const { operations } = apiImportReport((await read(values, egress)).api)
      return operations.map(({ name, method, path, description, ...facts }) => ({
        label: `${method} ${path}`,
        name: name === '' ? `${method} ${path}` : name,
        description,
        ...facts,
      }))
    },
  },
  build({ values }, context) {
    // Throws here if there is no description, so that the mistake is found before a run.
    const source = sourceOf(values)
    // A description in the flow is read without a call.
    if ('file' in source)
      context.beforeUse?.(
        () => read(values, context.egress),
        values.openApiFile === undefined ? 'yamlFile' : 'openApiFile',
      )
    if ('link' in source) mayCall(context, source.link, 'openApiLink', context.egress)
    if (isServer(values.selectedServer))
      mayCall(context, values.selectedServer, 'selectedServer', context.egress)
    const readSecrets = beforeUse(() => secretsOf(values.credential, context), context)
    const headers = readHeaders(values.headers)
    const customCode = authorsCode(values.customCode)
    if (customCode !== undefined) mayRun(context, customCode, 'customCode')
    return {
      async tools() {
        const secrets = await readSecrets()
        return apiTools(await read(values, context.egress), {
          flowId: context.flowId,
          egress: context.egress,
          code: codeRunner,
          headers,
          secrets,
          removeNulls: values.removeNulls,
          returnDirect: values.returnDirect,
          ...(customCode === undefined ? {} : { customCode }),
          maxCharacters: values.maxOutputLength,
          selected: values.selectedEndpoints ?? [],
          maxTools: values.maxTools,
          maxTokens: values.maxToolTokens,
        })
      },
    }
  },
})

type SourceValues = {
  inputType: 'file' | 'link' | undefined
  openApiFile: string | undefined
  yamlFile: string | undefined
  openApiLink: string
  selectedServer: string
  serverVariables: JsonObject
  headers: JsonObject
  followLinks: boolean
}

const read = (values: SourceValues, egress: Egress): Promise<LoadedApi> =>
  loadApi(
    sourceOf(values),
    {
      followLinks: values.followLinks,
      serverVariables: values.serverVariables,
      headers: Object.keys(readHeaders(values.headers)),
      ...(isServer(values.selectedServer) ? { selectedServer: values.selectedServer } : {}),
    },
    egress,
  )

/** Flows saved by Flowise have the server `error` if it could not load the list of servers. */
const isServer = (value: string) => value !== '' && value !== 'error'

/** Nodes before version 2.1 have only `yamlFile`. @throws Error if there is neither file nor link */
function sourceOf({ inputType, openApiFile, yamlFile, openApiLink }: SourceValues): DescriptionSource {
  const storedFile = openApiFile ?? yamlFile
  const link = inputType === 'link' || (inputType === undefined && storedFile === undefined)
  if (link && openApiLink !== '') return { link: webAddress(openApiLink, 'openApiLink') }
  if (!link && storedFile !== undefined) return { file: storedFile }
  throw link
    ? new InputError('openApiLink', 'it has no link to an OpenAPI description')
    : new InputError('openApiFile', 'it has no OpenAPI description')
}

async function secretsOf(
  id: string | undefined,
  { credential, nodeId }: Pick<BuildContext, 'credential' | 'nodeId'>,
): Promise<Record<string, string>> {
  if (id === undefined) return {}
  try {
    return await credential(id)
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'credential_not_found') throw error
    throw new SluiceError('credential_missing', { node: nodeId, reason: 'its credential does not exist' })
  }
}
