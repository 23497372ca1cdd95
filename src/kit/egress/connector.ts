import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { type CallPurpose, type EgressRules, plainName } from './rules.ts'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>

export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * Opens connections that the rules allow. The name is resolved once, and the connection goes to one of the checked
 * addresses: a name that changes its address afterwards (DNS rebinding) has no effect.
 */
export function checkedConnector(
  build: typeof buildConnector,
  {
    rules,
    resolve,
    connectMs,
    purpose,
    ca,
  }: {
    rules: EgressRules
    resolve: Resolve
    connectMs: number
    purpose: CallPurpose
    /** In PEM: the authorities that may have signed the certificates of servers, instead of the public ones. */
    ca?: string | undefined
  },
): buildConnector.connector {
  const addressesOf = async ({ hostname, port, protocol }: buildConnector.Options) => {
    const name = plainName(hostname)
    const addresses = isIP(name) ? [name] : await resolve(name)
    rules.check(name, Number(port) || (protocol === 'https:' ? 443 : 80), addresses, purpose)
    return addresses
  }
  return (options, callback) => {
    addressesOf(options).then(
      (addresses) =>
        build({
          ...{ timeout: connectMs, allowH2: false, lookup: pinnedTo(addresses) },
          ...(ca === undefined ? {} : { ca }),
        })(options, callback),
      (error: Error) => callback(error, null),
    )
  }
}

/** A look-up that gives these addresses for every name. */
export function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, { all }, answer) =>
    all ? answer(null, found) : answer(null, found[0]!.address, found[0]!.family)
}
