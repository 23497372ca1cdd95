import { isIP, Socket, type TcpSocketConnectOpts } from 'node:net'
import { pinnedTo, type Resolve } from './connector.ts'
import { type CallPurpose, type EgressRules, plainName } from './rules.ts'

/**
 * A socket for clients of other protocols than HTTP. Its `connect(port, host)` checks the host and its addresses against the rules,
 * and then connects to one of these addresses. A host that is not allowed destroys it with `egress_denied`.
 */
export function checkedSocket({
  rules,
  resolve,
  purposeOf,
}: {
  rules: EgressRules
  resolve: Resolve
  /** @param place `host:port` */
  purposeOf: (place: string) => CallPurpose
}): Socket {
  const socket = new Socket()
  const connectTo: (options: TcpSocketConnectOpts) => Socket = socket.connect.bind(socket)
  const open = async (port: number, host: string) => {
    const name = plainName(host)
    const addresses = isIP(name) ? [name] : await resolve(name)
    rules.check(name, port, addresses, purposeOf(`${name}:${port}`))
    connectTo({ port, host: name, lookup: pinnedTo(addresses) })
  }
  const connect = (port: number, host: string) => {
    open(port, host).catch((error: Error) => socket.destroy(error))
    return socket
  }
  return Object.assign(socket, { connect: connect as Socket['connect'] })
}
