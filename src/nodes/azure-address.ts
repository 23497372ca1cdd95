import { textField } from '../cards/field.ts'
import type { BuildContext } from '../contract/card.ts'
import { SluiceError } from '../kit/errors.ts'
import { readBaseURL } from '../kit/provider/base-url.ts'
import { providerKey } from './provider-key.ts'

/** The version of Azure's API for a credential without one: the newest that is no preview. */
const API_VERSION = '2024-10-21'

/** What a node of Azure OpenAI may have in place of the values of its credential, with Flowise's names. */
export const azureFields = () => ({
  azureOpenAIApiInstanceName: textField('Instance Name', undefined, {
    additional: true,
    guard: 'credential',
    description: 'RESOURCE of https://RESOURCE.openai.azure.com; empty: that of the credential',
  }),
  azureOpenAIApiDeploymentName: textField('Deployment Name', undefined, {
    additional: true,
    description: 'Empty: that of the credential',
  }),
  azureOpenAIApiVersion: textField('API Version', undefined, {
    additional: true,
    description: 'Empty: that of the credential',
  }),
})

export type AzureValues = {
  azureOpenAIApiKey: string | undefined
  credential: string | undefined
  /** What comes before the name of the deployment, in place of the address of the instance. */
  basepath: string | undefined
  azureOpenAIApiInstanceName: string | undefined
  azureOpenAIApiDeploymentName: string | undefined
  azureOpenAIApiVersion: string | undefined
}

/**
 * Where a deployment of Azure OpenAI is called: `https://INSTANCE.openai.azure.com/openai/deployments/DEPLOYMENT/…?api-version=…`, with
 * the key in `api-key`.
 *
 * @throws SluiceError `credential_missing`, also for a name that is missing or would change the address
 */
export async function azureAddress(
  values: AzureValues,
  context: Pick<BuildContext, 'credential' | 'nodeId'>,
) {
  const { azureOpenAIApiKey: nodeKey, credential, basepath } = values
  const apiKey = await providerKey({ nodeKey, credential, field: 'azureOpenAIApiKey' }, context)
  if (apiKey === undefined)
    throw new SluiceError('credential_missing', {
      node: context.nodeId,
      reason: 'it has none',
      hint: 'Give the node a credential of the kind azureOpenAIApi',
    })
  const held = credential === undefined ? {} : await context.credential(credential)
  const textOf = (
    name: 'azureOpenAIApiInstanceName' | 'azureOpenAIApiDeploymentName' | 'azureOpenAIApiVersion',
  ) => (values[name] ?? held[name] ?? '').trim()
  const nameOf = (name: 'azureOpenAIApiInstanceName' | 'azureOpenAIApiDeploymentName', pattern: RegExp) => {
    const text = textOf(name)
    if (pattern.test(text)) return text
    const reason = text === '' ? `it has no ${name}` : `its ${name} may have letters, digits and hyphens only`
    throw new SluiceError('credential_missing', { node: context.nodeId, reason })
  }
  const deployment = nameOf('azureOpenAIApiDeploymentName', /^[\w.-]{1,128}$/)
  const place =
    basepath === undefined
      ? `https://${nameOf('azureOpenAIApiInstanceName', /^[a-z\d-]{1,64}$/i)}.openai.azure.com/openai/deployments`
      : readBaseURL(basepath)
  return {
    baseURL: `${place}/${deployment}`,
    apiKey,
    keyHeader: 'api-key',
    query: { 'api-version': textOf('azureOpenAIApiVersion') || API_VERSION },
  }
}
