/** What stands where a secret was. */
export const MASK = '••••'

/** Names of query parameters whose value lets a caller in. */
const SECRET_NAME = /key|token|secret|passw|pwd|sig|auth|credential|code/i

/**
 * An address without its secrets: the password, a user name that stands alone (often a token), and the values of query
 * parameters such as `api_key`. A text without `://` is only looked through for `password=…`.
 *
 * @example maskAddress('postgres://user:pw@host/db') === 'postgres://user:••••@host/db'
 */
export function maskAddress(address: string): string {
  return maskQuery(maskUserInfo(address)).replace(
    /\b(password|passwd|pwd)(\s*=\s*)('[^']*'|[^\s;&]+)/gi,
    `$1$2${MASK}`,
  )
}

/** A password may hold characters that should have been escaped: it ends at the last `@`. */
const maskUserInfo = (address: string): string =>
  address.replace(/([a-z][a-z\d+.-]*:\/\/)(\S*)@/gi, (_, scheme: string, userInfo: string) => {
    const colon = userInfo.indexOf(':')
    return colon < 0 ? `${scheme}${MASK}@` : `${scheme}${userInfo.slice(0, colon)}:${MASK}@`
  })

const maskQuery = (address: string): string =>
  address.replace(/([?&#])([^=&#\s]+)=([^&#\s]+)/g, (whole, before: string, name: string) =>
    SECRET_NAME.test(name) ? `${before}${name}=${MASK}` : whole,
  )
