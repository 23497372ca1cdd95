/** Replaces a secret. */
export const MASK = '••••'

/** Names of query parameters whose value is a secret. */
const SECRET_NAME = /key|token|secret|passw|pwd|sig|auth|credential|code/i

/**
 * An address without its secrets: the password, a user name that stands alone (often a token), and the values of query
 * parameters such as `api_key`. In a text without `://` only `password=…` is masked.
 *
 * @example maskAddress('postgres://user:pw@host/db') === 'postgres://user:••••@host/db'
 */
export function maskAddress(address: string): string {
  return maskQuery(maskUserInfo(address)).replace(
    /\b(password|passwd|pwd)(\s*=\s*)('[^']*'|[^\s;&]+)/gi,
    `$1$2${MASK}`,
  )
}

/** A password may have characters that should be escaped: it ends at the last `@`. */
const maskUserInfo = (address: string): string =>
  address.replace(/([a-z][a-z\d+.-]*:\/\/)(\S*)@/gi, (_, scheme: string, userInfo: string) => {
    const colon = userInfo.indexOf(':')
    return colon < 0 ? `${scheme}${MASK}@` : `${scheme}${userInfo.slice(0, colon)}:${MASK}@`
  })

const maskQuery = (address: string): string =>
  address.replace(/([?&#])([^=&#\s]+)=([^&#\s]+)/g, (whole, before: string, name: string) =>
    SECRET_NAME.test(name) ? `${before}${name}=${MASK}` : whole,
  )
