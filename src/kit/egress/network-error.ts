import { errorChain, reasonOf, SluiceError } from '../errors.ts'

/** The other side could not be reached, or has closed the connection: another attempt may help. */
export class NetworkError extends SluiceError {
  constructor(host: string, reason: string, options?: { cause?: unknown }) {
    super('provider_failed', { provider: host, reason }, options)
    this.name = 'NetworkError'
  }
}

/** Whether a failed call has not reached the program of the other side: no connection was made, or it was not trusted. */
export const isNotSent = (error: unknown): boolean =>
  errorChain(error).some(
    ({ code }: NodeJS.ErrnoException) =>
      code !== undefined && (BEFORE_SENDING.has(code) || isUntrusted(code) || isOtherProtocol(code)),
  )

const BEFORE_SENDING = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Codes of Node and of OpenSSL for a certificate that is not accepted, and for no TLS at all. */
const isUntrusted = (code: string): boolean =>
  /^(CERT_|UNABLE_TO_|ERR_TLS_CERT_)/.test(code) || code in REASONS

const isOtherProtocol = (code: string): boolean => code === 'EPROTO' || code.startsWith('ERR_SSL_')

const UNTRUSTED = 'its certificate is signed by an authority that is not trusted'

const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it has signed its certificate itself',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  // An authority of the same name with another key.
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

const NEEDS_AUTHORITY = new Set([UNTRUSTED, REASONS.DEPTH_ZERO_SELF_SIGNED_CERT])

/** What is wrong with a certificate, and what to do. */
function untrusted(host: string, code: string, thrown: unknown): SluiceError {
  const reason = isOtherProtocol(code)
    ? 'it does not speak TLS as asked: is its address http:// rather than https://?'
    : (REASONS[code] ?? `its certificate is not accepted (${code})`)
  const hint = NEEDS_AUTHORITY.has(reason) ? { hint: TRUST_HINT } : {}
  return new SluiceError('provider_failed', { provider: host, reason, ...hint }, { cause: thrown })
}

const TRUST_HINT =
  'Give the certificate of its authority (PEM) to the credential, if it has a field for it, or start the server with NODE_EXTRA_CA_CERTS=FILE'

/** The error of a failed call, by the codes of the system and of the client in its chain of causes. */
export function callFailure(host: string, thrown: unknown, connectSeconds: number): Error {
  for (const error of errorChain(thrown)) {
    if (error instanceof SluiceError) return error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'UND_ERR_CONNECT_TIMEOUT')
      return new SluiceError(
        'provider_timeout',
        { provider: host, seconds: connectSeconds },
        { cause: thrown },
      )
    if (code !== undefined && (isUntrusted(code) || isOtherProtocol(code)))
      return untrusted(host, code, thrown)
    const reason = code === undefined ? undefined : reasonFor(code)
    if (reason) return new NetworkError(host, reason, { cause: thrown })
  }
  const last = errorChain(thrown).at(-1)
  return new SluiceError('provider_failed', { provider: host, reason: reasonOf(last) }, { cause: thrown })
}

function reasonFor(code: string): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its name is not known'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return 'it cannot be reached'
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'the connection was cut'
    default:
      return code.startsWith('HPE_') ? 'it does not speak HTTP' : undefined
  }
}
