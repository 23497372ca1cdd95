import { createHash, createHmac } from 'node:crypto'

/** A call as it has arrived; `target` is its path with its query. */
export type ArrivedCall = {
  method: string
  target: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * The signature that AWS computes for a call (Signature Version 4), written from its description and not from our client:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signatureFor({ method, target, headers, body }: ArrivedCall, secretAccessKey: string) {
  const [, scope = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      String(headers.authorization),
    ) ?? []
  const [pathname = '', query = ''] = target.split('?')
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('=').map(decodeURIComponent))
  const canonical = [
    method,
    pathname.split('/').map(encode).join('/'),
    pairs
      .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    sha256(body),
  ].join('\n')
  const [date = '', region = '', service = ''] = scope.split('/')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), service), 'aws4_request')
  return { expected: hmac(key, toSign).toString('hex'), signature, scope, signed: signed.split(';') }
}
