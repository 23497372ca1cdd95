import { hash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'

/** `service`: `es` for a domain of the OpenSearch Service, `aoss` for a collection of OpenSearch Serverless. */
export type AwsKeys = {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
  region: string
  service: 'es' | 'aoss'
}

export type SignedCall = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** The headers of a call with those of its signature (AWS Signature Version 4). @param at when it is sent */
export async function awsHeaders(
  { method, url, headers, body = '' }: SignedCall,
  keys: AwsKeys,
  at = new Date(),
): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey, sessionToken, region, service } = keys
  const signer = new AwsV4Signer({
    ...{ method, url, accessKeyId, secretAccessKey, region, service },
    ...(sessionToken ? { sessionToken } : {}),
    // Serverless refuses calls without this header.
    headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body) },
    datetime: at.toISOString().replace(/[:-]|\.\d{3}/g, ''),
  })
  return Object.fromEntries((await signer.sign()).headers)
}
