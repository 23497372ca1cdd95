import { errorChain, reasonOf, SluiceError } from '../errors.ts'

/** The other side could not be reached, or has closed the connection: another attempt may help. */
export class NetworkError extends SluiceError {
  constructor(host: string, reason: string, options?: { cause?: unknown }) {
    super('provider_failed', { provider: host, reason }, options)
    this.name = 'NetworkError'
  }
}

/** The error of a failed call, by the codes of the system and of the client in its chain of causes. */
export function callFailure(host: string, thrown: unknown, connectSeconds: number): Error {
  for (const error of errorChain(thrown)) {
    if (error instanceof SluiceError) return error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'UND_ERR_CONNECT_TIMEOUT')
      return new SluiceError('provider_timeout', { provider: host, seconds: connectSeconds })
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
