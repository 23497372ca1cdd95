import type { CredentialData } from '../../contract/credential-store.ts'
import type { AwsKeys } from '../../stores/remote/aws-signature.ts'
import type { EngineAccess } from '../../stores/remote/engine-server.ts'

const basic = (name: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/** How OpenSearch is reached with a credential of the kinds openSearchUrl and openSearchAws. @throws Error with the reason */
export function openSearchAccess(values: CredentialData): EngineAccess {
  const { openSearchUrl: baseURL = '', user, password, ca, awsKey } = values
  const trust = ca ? { ca } : {}
  if (awsKey) return { baseURL, headers: {}, aws: awsKeysIn(values, awsKey), ...trust }
  return { baseURL, headers: user && password ? basic(user, password) : {}, ...trust }
}

function awsKeysIn(values: CredentialData, accessKeyId: string): AwsKeys {
  const { openSearchUrl = '', awsSecret = '', awsSession, region, service } = values
  const place = awsPlaceOf(openSearchUrl)
  const named = service?.trim() || place?.service || 'es'
  if (named !== 'es' && named !== 'aoss')
    throw new Error('the service of the credential is neither es nor aoss')
  const where = region?.trim() || place?.region
  if (where === undefined) throw new Error('the credential has no region, and its endpoint names none')
  const session = awsSession ? { sessionToken: awsSession } : {}
  return { accessKeyId, secretAccessKey: awsSecret, ...session, region: where, service: named }
}

/** The service and the region in the host of an endpoint of AWS, such as `search-docs-x.eu-west-1.es.amazonaws.com`. */
function awsPlaceOf(address: string): Pick<AwsKeys, 'service' | 'region'> | undefined {
  const name = URL.parse(address.trim())?.hostname ?? ''
  const [, region, service] = /\.([a-z\d-]{1,30})\.(es|aoss)\.amazonaws\.com(?:\.cn)?$/.exec(name) ?? []
  return region === undefined ? undefined : { region, service: service as AwsKeys['service'] }
}

/**
 * How Elasticsearch is reached with a credential of the kinds elasticsearchApi and elasticSearchUserPassword. A key is taken in both forms:
 * as it is sent, and as `id:key`, which some consoles show.
 *
 * @throws Error with the reason
 */
export function elasticsearchAccess(values: CredentialData): EngineAccess {
  const { endpoint, apiKey = '', cloudId = '', username = '', password = '', ca } = values
  const trust = ca ? { ca } : {}
  if (!endpoint) return { baseURL: cloudAddress(cloudId), headers: basic(username, password), ...trust }
  const key = apiKey.includes(':') ? Buffer.from(apiKey).toString('base64') : apiKey
  return { baseURL: endpoint, headers: key === '' ? {} : { authorization: `ApiKey ${key}` }, ...trust }
}

/** The address in a Cloud ID, `name:base64(host$elasticsearch$kibana)`; Flowise takes an address as well. */
export function cloudAddress(cloudId: string): string {
  if (/^https?:/i.test(cloudId.trim())) return cloudId
  const [host = '', elastic = ''] = Buffer.from(cloudId.split(':').at(-1)!, 'base64').toString().split('$')
  const [domain, port = '443'] = host.split(':')
  if (!domain || elastic === '') throw new Error('the Cloud ID of the credential is not valid')
  return `https://${elastic}.${domain}:${port}`
}
