import { X509Certificate } from 'node:crypto'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([A-Za-z\d+/=\s]*)-----END CERTIFICATE-----/g

/**
 * The certificates of authorities in a text as PEM that OpenSSL reads: a field of a form may have joined its lines.
 *
 * @throws Error with the reason, which may be shown to a client
 */
export function readAuthorities(text: string): string {
  const found = [...text.matchAll(CERTIFICATE)].map(([, base64]) => {
    const lines = base64!.replace(/\s/g, '').match(/.{1,64}/g) ?? []
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
  })
  if (found.length === 0) throw new Error('the CA of the credential is no certificate in PEM')
  for (const pem of found) refuseOther(pem)
  return found.join('')
}

function refuseOther(pem: string): void {
  try {
    new X509Certificate(pem)
  } catch (error) {
    throw new Error('the CA of the credential has a damaged certificate', { cause: error })
  }
}
