import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a port of loopback that cuts each connection after so many bytes of answers. */
export async function cuttingProxy(to: number, bytes: number): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(to, '127.0.0.1')
    let passed = 0
    for (const socket of [client, target]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        target.destroy()
      })
    }
    client.pipe(target)
    target.on('data', (chunk: Buffer) => {
      passed += chunk.length
      if (passed > bytes) client.destroy()
      else client.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
